import type { Offset } from '../../parts/event-log/port.ts'
import type { Duration } from '../../std/instant.ts'
import { minute, second } from '../../std/instant.ts'

/**
 * How old the ids of a partition are, by no clock that can be set. [guarantees#clocks]
 *
 * **Running time** is monotonic time that passed while some process held the partition, added up in
 * its checkpoint. A record came in after the last look at the log that did not see it. So looks
 * tell to a few seconds when it came in, however late it is measured, and log time is not asked.
 *
 * Time that is not known counts as none: between two holders, around a look that failed or came
 * late, before this process looked. So ids are remembered for longer, never shorter.
 */
export interface Arrivals {
  /** A look: the log ended at `end`. `at` is monotonic time before the log was asked. */
  looked(end: Offset, at: Duration): void
  /** The running time that had passed, at least, when the record at `offset` came in. */
  of(offset: Offset): Duration
}

/** Where a holder goes on: the running time of the checkpoint, and monotonic time now. */
export interface Taken {
  readonly ran: Duration
  readonly at: Duration
}

/**
 * A longer time between looks does not count: the process waited or slept, or a clock was set after
 * all.
 */
const stepMax = 30 * second

/** With more looks every second one is forgotten, and what came in after it counts as older. */
const looksMax = 2_048

/**
 * How long ids must be kept so that they are known for a whole `window` of real time: looks lie up
 * to half a minute apart, and a monotonic clock may be slewed by 500 millionths.
 */
export const rememberedFor = (window: Duration): Duration =>
  window + minute + Math.ceil(window / 1_000)

interface Look {
  readonly end: Offset
  readonly ran: Duration
}

export function arrivals(taken: Taken): Arrivals {
  let looks: Look[] = [{ end: 0, ran: taken.ran }]
  let { at: lookedAt, ran } = taken
  return { looked, of }

  function looked(end: Offset, at: Duration): void {
    ran += Math.max(0, Math.min(at - lookedAt, stepMax))
    lookedAt = at
    const last = looks.at(-1)
    // Where the log seems to have become shorter, what was seen stays seen.
    const seen = Math.max(end, last?.end ?? 0)
    if (last?.end === seen && looks.length > 1) looks.pop()
    looks.push({ end: seen, ran })
    if (looks.length > looksMax) looks = looks.filter((_, index) => index % 2 === 0)
  }

  function of(offset: Offset): Duration {
    const next = looks.findIndex(({ end }) => end > offset)
    const before = next < 0 ? looks.length - 1 : next - 1
    // An earlier record would get the same answer, or an earlier one, without these looks.
    looks.splice(0, before)
    return looks[0]?.ran ?? ran
  }
}
