import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'

/**
 * Shares the thread between requests of one kind and everything else that it does. When more of
 * them come at once than can be worked on in a moment, the rest wait: those of one name (a business
 * for complete bodies, an address for unknown keys) in the order in which they came, and the names
 * by turns, so that one that sends many holds up only itself. Health checks, metrics, timers and
 * answers get their turn in between.
 */
export interface Turns {
  /**
   * Null: go on at once. Otherwise resolves when it is this request's turn. Throws or rejects with
   * UNAVAILABLE when the answer would come too late; nothing was done for the request then. `name`
   * says whose it is.
   */
  wait(name: string): Promise<void> | null
}

interface Waiting {
  readonly since: number
  resolve(): void
  reject(error: Fault): void
}

export interface TurnsOptions {
  /** For how long in a row they are worked on. */
  readonly sliceMs: number
  /** How long one may wait before it is refused. */
  readonly waitMs: number
  /** How long all else has the thread after a slice; absent: one round of the event loop. */
  readonly restMs?: () => number
  /** How many may wait; more go on at once. Absent: as many as come. */
  readonly waitingMax?: number
}

/** Complete bodies of those whose keys are good. */
export const bodyTurns = (): Turns =>
  turns({ sliceMs: limits.bodySliceMs, waitMs: limits.bodyWaitMs })

/** Where all are trusted: nobody waits. */
export const nobodyWaits: Turns = { wait: () => null }

export function turns(options: TurnsOptions): Turns {
  const { sliceMs, waitMs, restMs = () => 0, waitingMax = Number.POSITIVE_INFINITY } = options
  // In the order of their turns: a name that was served goes to the end.
  const lines = new Map<string, Waiting[]>()
  let endsAt = Number.NEGATIVE_INFINITY
  let scheduled = false
  let waiting = 0
  return { wait }

  function wait(name: string): Promise<void> | null {
    if (waiting >= waitingMax || (lines.size === 0 && !spent())) return null
    const now = performance.now()
    const line = lines.get(name) ?? []
    if (now - (line[0]?.since ?? now) > waitMs) throw busy()
    schedule()
    lines.set(name, line)
    waiting += 1
    return new Promise((resolve, reject) => line.push({ since: now, resolve, reject }))
  }

  /** Takes the one whose turn it is. */
  function shifted(): Waiting | undefined {
    for (const [name, line] of lines) {
      const first = line.shift()
      waiting -= 1
      lines.delete(name)
      if (line.length > 0) lines.set(name, line)
      return first
    }
    return undefined
  }

  /**
   * Whether the slice is used up. The first one after the rest begins another slice.
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
    const rest = restMs()
    if (rest === 0) setImmediate(() => void next())
    else setTimeout(() => void next(), sliceMs + rest)
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
