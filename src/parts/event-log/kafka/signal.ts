/** Wakes everybody who waits for a change. */
export interface Signal {
  fire(): void
  /** Resolves at the next `fire`, or after `ms`. */
  fired(ms: number): Promise<void>
}

export function createSignal(): Signal {
  const waiting = new Set<() => void>()
  return { fire, fired }

  function fire(): void {
    for (const resolve of [...waiting]) resolve()
  }

  function fired(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms)
      waiting.add(done)
      function done() {
        clearTimeout(timer)
        waiting.delete(done)
        resolve()
      }
    })
  }
}
