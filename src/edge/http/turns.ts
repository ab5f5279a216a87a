import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'

/**
 * Shares the thread between bodies that are whole and all else that it does. When more of them
 * come at once than can be worked on in a moment, the rest wait in the order in which they came:
 * health checks, metrics, timers and answers get their turn in between.
 */
export interface Turns {
  /**
   * Null: go on at once. Otherwise resolves when it is this one's turn. UNAVAILABLE, thrown or
   * rejected, once it would be answered too late: then nothing was done for it.
   */
  wait(): Promise<void> | null
}

interface Waiting {
  readonly since: number
  resolve(): void
  reject(error: Fault): void
}

export interface TurnsOptions {
  readonly sliceMs: number
  readonly waitMs: number
}

const usual: TurnsOptions = { sliceMs: limits.bodySliceMs, waitMs: limits.bodyWaitMs }

export function turns({ sliceMs, waitMs } = usual): Turns {
  const waiting: Waiting[] = []
  let endsAt = Number.NEGATIVE_INFINITY
  let scheduled = false
  return { wait }

  function wait(): Promise<void> | null {
    const [first] = waiting
    if (first === undefined && !spent()) return null
    const now = performance.now()
    if (first !== undefined && now - first.since > waitMs) throw busy()
    schedule()
    return new Promise((resolve, reject) => waiting.push({ since: now, resolve, reject }))
  }

  /** The first one after the event loop has been round begins another slice. */
  function spent(): boolean {
    if (scheduled) return performance.now() >= endsAt
    begin()
    return false
  }

  function begin(): void {
    endsAt = performance.now() + sliceMs
    schedule()
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => void next())
  }

  async function next(): Promise<void> {
    scheduled = false
    if (waiting.length === 0) return
    begin()
    for (let now = performance.now(); now < endsAt; now = performance.now()) {
      const first = waiting.shift()
      if (first === undefined) return
      if (now - first.since > waitMs) {
        first.reject(busy())
        continue
      }
      first.resolve()
      // It works until it waits for something else; then we go on.
      await undefined
    }
  }
}

const busy = (): Fault =>
  new Fault('UNAVAILABLE', 'Too many requests wait just now; try again.', { retryAfterSeconds: 1 })
