import { limits } from '../../limits.ts'

/**
 * Shares the thread between bodies that are whole and all else that it does. When more of them
 * come at once than can be worked on in a moment, the rest wait in the order in which they came:
 * health checks, metrics, timers and answers get their turn in between.
 */
export interface Turns {
  /** Null: go on at once. Otherwise resolves when it is this one's turn. */
  wait(): Promise<void> | null
}

export function turns(sliceMs: number = limits.bodySliceMs): Turns {
  const waiting: (() => void)[] = []
  let endsAt = Number.NEGATIVE_INFINITY
  let scheduled = false
  return { wait }

  function wait(): Promise<void> | null {
    if (waiting.length === 0 && !spent()) return null
    schedule()
    return new Promise((resolve) => waiting.push(resolve))
  }

  /** The first one after the event loop has been round begins another slice. */
  function spent(): boolean {
    if (!scheduled) begin()
    return performance.now() >= endsAt
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
    while (performance.now() < endsAt) {
      const resolve = waiting.shift()
      if (resolve === undefined) return
      resolve()
      // It works until it waits for something else; then we go on.
      await undefined
    }
  }
}
