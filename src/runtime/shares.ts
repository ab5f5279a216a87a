import { Fault } from '../faults.ts'

/**
 * A number of places, shared between names (businesses): each may hold `each` of them, and those
 * who wait are let in by turns of their names, so that a thousand requests of one do not hold up
 * the next one of another. [machines#backpressure]
 */
export interface Shares {
  /**
   * Waits for a place; calling what it answers gives the place back, once. Throws UNAVAILABLE when
   * `waitMs` pass and others are in the way; TOO_MANY_REQUESTS when only its own name is, at once
   * where too many of that name wait already; and the signal's reason once that is aborted.
   */
  enter(name: string, signal?: AbortSignal | null): Promise<Leave>
  readonly held: number
  readonly waiting: number
}

export type Leave = () => void

export interface SharesOptions {
  readonly total: number
  /** How many places one name may hold. */
  readonly each: number
  readonly waitMs: number
  /** How many of one name may wait. */
  readonly waitingMax: number
}

interface Line {
  held: number
  readonly waiting: Set<Waiter>
}

interface Waiter {
  readonly admitted: (leave: Leave) => void
}

export function openShares({ total, each, waitMs, waitingMax }: SharesOptions): Shares {
  // In the order of their turns: a name that was served goes to the end.
  const lines = new Map<string, Line>()
  let held = 0
  let waiting = 0
  return {
    enter,
    get held() {
      return held
    },
    get waiting() {
      return waiting
    },
  }

  function enter(name: string, signal: AbortSignal | null = null): Promise<Leave> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    const line = lineOf(name)
    // Those who wait cannot go first: their names hold all they may, or no place is free.
    if (held < total && line.held < each) return Promise.resolve(taken(name, line))
    if (line.waiting.size >= waitingMax) return Promise.reject(tooMany())
    return waited(name, line, signal)
  }

  function waited(name: string, line: Line, signal: AbortSignal | null): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        admitted(leave) {
          left()
          resolve(leave)
        },
      }
      const timer = setTimeout(refuse, waitMs)
      signal?.addEventListener('abort', gone)
      line.waiting.add(waiter)
      waiting += 1

      function left(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', gone)
        line.waiting.delete(waiter)
        waiting -= 1
      }

      function refuse(): void {
        left()
        reject(line.held >= each ? tooMany() : busy())
        forget(name, line)
      }

      function gone(): void {
        left()
        reject(signal?.reason as Error)
        forget(name, line)
      }
    })
  }

  function taken(name: string, line: Line): Leave {
    held += 1
    line.held += 1
    lines.delete(name)
    lines.set(name, line)
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      held -= 1
      line.held -= 1
      next()
      forget(name, line)
    }
  }

  /** Lets in the one whose turn it is, where there is a place. */
  function next(): void {
    if (held >= total || waiting === 0) return
    for (const [name, line] of lines) {
      const [first] = line.waiting
      if (first === undefined || line.held >= each) continue
      first.admitted(taken(name, line))
      return
    }
  }

  function lineOf(name: string): Line {
    const known = lines.get(name)
    if (known !== undefined) return known
    const line: Line = { held: 0, waiting: new Set() }
    lines.set(name, line)
    return line
  }

  /** Names come from outside, so those that neither hold nor wait are forgotten. */
  function forget(name: string, line: Line): void {
    if (line.held === 0 && line.waiting.size === 0 && lines.get(name) === line) lines.delete(name)
  }
}

const tooMany = (): Fault =>
  new Fault('TOO_MANY_REQUESTS', 'Too many requests of this kind are under way; wait for some.', {
    retryAfterSeconds: 1,
  })

const busy = (): Fault =>
  new Fault('UNAVAILABLE', 'Too many requests wait just now; try again.', { retryAfterSeconds: 1 })
