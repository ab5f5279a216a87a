import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'

/**
 * Shares the thread between complete bodies and everything else that it does. When more bodies come
 * at once than can be worked on in a moment, the rest wait: those of a business in the order in
 * which they came, and the businesses by turns, so that one that sends many large bodies holds up
 * only itself. Health checks, metrics, timers and answers get their turn in between.
 */
export interface Turns {
  /**
   * Null: go on at once. Otherwise resolves when it is this body's turn. Throws or rejects with
   * UNAVAILABLE when the answer would come too late; nothing was done for the request then. `name`
   * says whose body it is.
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
  // In the order of their turns: a name that was served goes to the end.
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

  /** Takes the one whose turn it is. */
  function shifted(): Waiting | undefined {
    for (const [name, line] of lines) {
      const first = line.shift()
      lines.delete(name)
      if (line.length > 0) lines.set(name, line)
      return first
    }
    return undefined
  }

  /**
   * Whether the slice is used up. The first one after a round of the event loop begins another
   * slice.
   */
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
      // Lets it work until it waits for something else.
      await undefined
    }
  }
}

const busy = (): Fault =>
  new Fault('UNAVAILABLE', 'Too many requests wait just now; try again.', { retryAfterSeconds: 1 })
