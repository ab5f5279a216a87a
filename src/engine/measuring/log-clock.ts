import type { LogSlice, Offset, Partition } from '../../parts/event-log/port.ts'
import type { Check } from '../../runtime/checks.ts'
import { degraded, fine } from '../../runtime/checks.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { minute, second } from '../../std/instant.ts'

export interface LogClockNeeds {
  readonly clock: Clock
  readonly logger: Logger
  /**
   * Called for what was read of a partition: how far log time is ahead of ours, negative when
   * behind.
   */
  readonly skewed: (partition: Partition, ahead: Duration) => void
}

/**
 * Compares log time with the process's own time, for operators only: nothing else depends on it.
 * [guarantees#clocks]
 */
export interface LogClock {
  /** The partition's log ended at `end` at this moment, or a little later. */
  looked(partition: Partition, end: Offset, at: Instant): void
  /** These records have just been read. */
  read(slices: readonly LogSlice[]): void
  /** Another process reads the partition from now on. */
  forget(partition: Partition): void
  check(): Check
}

/** How much the clocks of two machines may differ. */
const apart = minute

/**
 * A record with a time ahead of ours was stamped by a clock that is ahead. A record that came in
 * after a look but is stamped before it was stamped by a clock that is behind. So a lag never looks
 * like a wrong clock.
 */
export function logClock({ clock, logger, skewed }: LogClockNeeds): LogClock {
  const looks = new Map<Partition, { readonly end: Offset; readonly at: Instant }>()
  const wrong = new Map<Partition, Duration>()
  return { looked, read, forget, check }

  function looked(partition: Partition, end: Offset, at: Instant): void {
    looks.set(partition, { end, at })
  }

  function read(slices: readonly LogSlice[]): void {
    const now = clock.now()
    for (const slice of slices) tell(slice.partition, skewOf(slice, now))
  }

  function skewOf({ partition, records }: LogSlice, now: Instant): Duration {
    const look = looks.get(partition)
    let [ahead, behind] = [0, 0]
    for (const { at, offset } of records) {
      ahead = Math.max(ahead, at - now)
      if (look !== undefined && offset >= look.end) behind = Math.max(behind, look.at - at)
    }
    return ahead >= behind ? ahead : -behind
  }

  function tell(partition: Partition, ahead: Duration): void {
    skewed(partition, ahead)
    const fields = { partition, aheadSeconds: Math.round(ahead / second) }
    if (Math.abs(ahead) > apart) {
      if (!wrong.has(partition))
        logger.error(fields, 'the clock of the event log is wrong, or ours')
      wrong.set(partition, ahead)
    } else if (wrong.delete(partition)) {
      logger.info(fields, 'the clock of the event log agrees with ours again')
    }
  }

  function forget(partition: Partition): void {
    looks.delete(partition)
    wrong.delete(partition)
  }

  function check(): Check {
    const [first] = [...wrong].toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    if (first === undefined) return fine
    const [partition, ahead] = first
    const side = ahead > 0 ? 'ahead of' : 'behind'
    return degraded(
      `Log time of partition ${partition} is ${Math.round(Math.abs(ahead) / second)} s ${side} the time here: look at the clocks of both machines.`,
    )
  }
}
