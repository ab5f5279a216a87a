/**
 * The bytes that a whole process has in flight: bodies, and what waits for the event log.
 * [machines#backpressure]
 */
export interface ByteBudget {
  /** For the gauge `ingest_inflight_bytes`. */
  readonly used: number
  /** False, and nothing is taken, when the bound would be passed. */
  take(bytes: number): boolean
  give(bytes: number): void
}

export function byteBudget(bytesMax: number): ByteBudget {
  let used = 0
  return {
    get used() {
      return used
    },
    take(bytes) {
      if (used + bytes > bytesMax) return false
      used += bytes
      return true
    },
    give(bytes) {
      used -= bytes
    },
  }
}
