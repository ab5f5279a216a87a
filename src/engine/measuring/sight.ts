import type { Clock } from '../../runtime/clock.ts'
import type { Duration, Instant } from '../../std/instant.ts'

/**
 * A moment at which something was looked at, by two clocks: the one can be set, and the other may
 * stand still while the machine sleeps.
 */
export interface Sight {
  readonly at: Instant
  readonly monotonic: Duration
}

export interface Clocks {
  readonly clock: Clock
  /** Time since an unknown moment; nobody can set it. */
  readonly monotonic: () => Duration
}

export const sightBy = ({ clock, monotonic }: Clocks): Sight => ({
  at: clock.now(),
  monotonic: monotonic(),
})

/** How much time has passed between two looks, by the clock that says more. */
export const unseenBetween = (one: Sight, other: Sight): Duration =>
  Math.max(Math.abs(other.at - one.at), Math.abs(other.monotonic - one.monotonic))
