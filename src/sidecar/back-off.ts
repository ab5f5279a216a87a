/** How long to wait before the next try. */
export interface BackOff {
  /** Tries that have failed since the last one that has not. */
  readonly failures: number
  /** After one that failed; `retryAfterMs`: what it was told to wait, if it was. */
  failed(retryAfterMs: number | null): number
  succeeded(): void
}

export interface BackOffOptions {
  readonly firstMs: number
  readonly maxMs: number
  /** A longer Retry-After is cut to this: events that wait for long are refused for their age. */
  readonly retryAfterMaxMs: number
  /** From 0 to 1. */
  readonly chance: () => number
}

/**
 * Twice as long each time, and between half and all of it by chance: sidecars that a gateway has
 * left together do not come back together. Nobody who was told when to come is early, nor all at
 * once.
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
