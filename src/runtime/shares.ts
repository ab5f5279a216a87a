import { Fault } from '../faults.ts'

/**
 * So many places, shared between names (businesses): each may hold `each` of them, and who waits
 * is let in by turns of the names, so that a thousand of one stand in the way of nobody else's
 * next one. [machines#backpressure]
 */
export interface Shares {
  /**
   * A place, once it is this one's turn; to be given back by what it answers, once. UNAVAILABLE
   * when `waitMs` pass first and others are in the way, TOO_MANY_REQUESTS when only its own name
   * is, also at once where too many of that wait already; the signal's reason once it is aborted.
   */
  enter(name: string, signal?: AbortSignal | null): Promise<Leave>
  readonly held: number
  readonly waiting: number
}

export type Leave = () => void

export interface SharesOptions {
  readonly total: number
  /** Of one name. */
  readonly each: number
  readonly waitMs: number
  /** Of one name. */
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
  // In the order of their turns: who was served goes to the end.
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
    // Whoever waits could not be let in: held by its own share, or nothing is free.
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

  /** Lets in the first of whose turn it is, as long as there is room. */
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

  /** Names come from outside: those of which nothing is here are not kept. */
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
