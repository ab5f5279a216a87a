/** How long to wait before the next try. */
export interface BackOff {
  /** How many tries have failed since the last one that succeeded. */
  readonly failures: number
  /**
   * Notes a failed try and answers how long to wait, in ms. `retryAfterMs`: how long the gateway
   * asked to wait, or null.
   */
  failed(retryAfterMs: number | null): number
  succeeded(): void
}

export interface BackOffOptions {
  readonly firstMs: number
  readonly maxMs: number
  /**
   * A longer Retry-After is cut to this: events that wait for too long are refused for their age.
   */
  readonly retryAfterMaxMs: number
  /** A random number from 0 to 1. */
  readonly chance: () => number
}

/**
 * Each failure doubles the wait; by chance it is between half of that and all of it, so that
 * sidecars that a gateway has left together do not come back together. A Retry-After is waited for
 * whole, and by chance a little longer.
 */
export function backOff({ firstMs, maxMs, retryAfterMaxMs, chance }: BackOffOptions): BackOff {
  let failures = 0
  return {
    get failures() {
      return failures
    },
    failed(retryAfterMs) {
      const most = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 30))
      failures += 1
      if (retryAfterMs === null) return most * (0.5 + chance() / 2)
      return Math.min(retryAfterMs, retryAfterMaxMs) + firstMs * chance()
    },
    succeeded() {
      failures = 0
    },
  }
}
