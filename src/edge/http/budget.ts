/**
 * Bytes in flight of a whole process: bodies, and what waits for the event log.
 * [machines#backpressure]
 */
export interface ByteBudget {
  /** For the gauge `ingest_inflight_bytes`. */
  readonly used: number
  /** False, and nothing taken, when it would go past the bound. */
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
