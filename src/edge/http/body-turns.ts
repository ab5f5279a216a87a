import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'

/**
 * Shares the thread between bodies that are whole and all else that it does. When more of them
 * come at once than can be worked on in a moment, the rest wait, those of a business in the order
 * in which they came, and the businesses by turns: who sends many large ones is in its own way.
 * Health checks, metrics, timers and answers get their turn in between.
 */
export interface Turns {
  /**
   * Null: go on at once. Otherwise resolves when it is this one's turn. UNAVAILABLE, thrown or
   * rejected, once it would be answered too late: then nothing was done for it. `name` says whose.
   */
  wait(name: string): Promise<void> | null
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
  // In the order of their turns: who was served goes to the end.
  const lines = new Map<string, Waiting[]>()
  let endsAt = Number.NEGATIVE_INFINITY
  let scheduled = false
  return { wait }

  function wait(name: string): Promise<void> | null {
    if (lines.size === 0 && !spent()) return null
    const now = performance.now()
    const line = lines.get(name) ?? []
    if (now - (line[0]?.since ?? now) > waitMs) throw busy()
    schedule()
    lines.set(name, line)
    return new Promise((resolve, reject) => line.push({ since: now, resolve, reject }))
  }

  /** Whose turn it is. */
  function shifted(): Waiting | undefined {
    for (const [name, line] of lines) {
      const first = line.shift()
      lines.delete(name)
      if (line.length > 0) lines.set(name, line)
      return first
    }
    return undefined
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
    if (lines.size === 0) return
    begin()
    for (let now = performance.now(); now < endsAt; now = performance.now()) {
      const first = shifted()
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
