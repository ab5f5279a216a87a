import type { Duration, Instant } from '../../std/instant.ts'

/**
 * A moment at which something was looked at, by two clocks: the one can be set, and the other may
 * stand still while the machine sleeps.
 */
export interface Sight {
  readonly at: Instant
  readonly monotonic: Duration
}

/** How much time has passed between two looks, by the clock that says more. */
export const unseenBetween = (one: Sight, other: Sight): Duration =>
  Math.max(Math.abs(other.at - one.at), Math.abs(other.monotonic - one.monotonic))
