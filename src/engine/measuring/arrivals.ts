import type { Offset } from '../../parts/event-log/port.ts'
import type { Duration } from '../../std/instant.ts'
import { minute, second } from '../../std/instant.ts'

/**
 * How old the ids of a partition are, by no clock that anybody can set. [guarantees#clocks]
 *
 * **Running time** is monotonic time that passed while somebody held the partition, added up in its
 * checkpoint. A record came in after the last look at the log that did not see it: so looks say, to
 * a few seconds, when it did, however late it is measured. Log time is not asked.
 *
 * What is not known counts as no time: the time between two holders, a look that failed or came
 * late, what came in before this process looked. So ids are remembered longer, and never shorter.
 */
export interface Arrivals {
  /**
   * The log ended at `end`. `at`: monotonic time before it was asked.
   */
  looked(end: Offset, at: Duration): void
  /** The running time that had passed, at least, when the record at `offset` came in. */
  of(offset: Offset): Duration
}

/** What is taken up: the running time of the checkpoint, and monotonic time now. */
export interface Taken {
  readonly ran: Duration
  readonly at: Duration
}

/** A longer time without a look was one of waiting, of sleep, or a clock that was set after all. */
const stepMax = 30 * second

/** Then every second look is forgotten: what came in after it is taken for older. */
const looksMax = 2_048

/**
 * For how long ids are kept so that they are known for a whole `window` of real time: looks lie up
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
    // A log that seems to have become shorter takes back nothing that was seen.
    const seen = Math.max(end, last?.end ?? 0)
    if (last?.end === seen && looks.length > 1) looks.pop()
    looks.push({ end: seen, ran })
    if (looks.length > looksMax) looks = looks.filter((_, index) => index % 2 === 0)
  }

  function of(offset: Offset): Duration {
    const next = looks.findIndex(({ end }) => end > offset)
    const before = next < 0 ? looks.length - 1 : next - 1
    // Nobody asks for an earlier record again but to be told the same or less.
    looks.splice(0, before)
    return looks[0]?.ran ?? ran
  }
}
