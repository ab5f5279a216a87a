import { AssertionError } from 'node:assert'
import { Fault } from '../faults.ts'
import type { Logger } from './logger.ts'

export interface LoopNeeds {
  readonly name: string
  /** One round. True: there is more, go on at once. */
  readonly work: () => Promise<boolean>
  /** How long to wait for a nudge when there is nothing to do. */
  readonly idleMs: number | (() => number)
  /** Whether the first round waits that long, too; at once by default. */
  readonly restsFirst?: boolean
  /**
   * What a failed round means: it is done again; or, where what it held is lost to the next one,
   * the process ends, as with a failed assertion.
   */
  readonly onFailure?: 'again' | 'end'
  readonly logger: Logger
}

/** Work that goes on by itself until it is stopped. */
export interface Loop {
  start(): void

  /** There may be work: the next round begins now, or right after the one under way. */
  nudge(): void

  /** Begins no further round; resolves when the one under way has ended. */
  stop(): Promise<void>
}

const pauses = {
  // A server is away; it is usually back soon, and everybody waits for it.
  unavailable: { first: 100, max: 5_000 },
  // Something is wrong with the program or the data; frequent tries would only fill the log.
  other: { first: 1_000, max: 60_000 },
}

/**
 * Runs `work` round after round. A round that failed is repeated after a growing pause, which no
 * nudge cuts short. A failed assertion ends the process, since what is in memory can no longer be
 * trusted.
 */
export function loop(needs: LoopNeeds): Loop {
  const { name, work, idleMs, logger, restsFirst = false, onFailure = 'again' } = needs
  let stopping = false
  let nudged = false
  let failures = 0
  let running: Promise<void> = Promise.resolve()
  let wake: ((cause: 'nudge' | 'stop') => void) | null = null
  return { start, nudge, stop }

  function start(): void {
    running = run()
    running.catch(bug)
  }

  function nudge(): void {
    nudged = true
    wake?.('nudge')
  }

  async function stop(): Promise<void> {
    stopping = true
    wake?.('stop')
    await running.catch(() => undefined)
  }

  async function run(): Promise<void> {
    if (restsFirst) await wait(idle(), false)
    while (!stopping) {
      nudged = false
      const pauseMs = await round()
      // Rounds may be long chains of promises; without this, timers and sockets of the thread would
      // starve.
      if (pauseMs === 0) await new Promise((resolve) => setImmediate(resolve))
      else await wait(pauseMs, failures > 0)
    }
  }

  /** Answers how long to wait before the next round. */
  async function round(): Promise<number> {
    try {
      const more = await work()
      if (failures > 0) logger.info({ loop: name, failures }, 'works again')
      failures = 0
      return more ? 0 : idle()
    } catch (error) {
      if (error instanceof AssertionError || onFailure === 'end') throw error
      failures += 1
      return failed(error)
    }
  }

  function idle(): number {
    return typeof idleMs === 'number' ? idleMs : idleMs()
  }

  function failed(error: unknown): number {
    const away = error instanceof Fault && error.code === 'UNAVAILABLE'
    if (!away) logger.error({ loop: name, failures, err: error }, 'a round failed')
    else if (failures === 1) logger.warn({ loop: name, err: error }, 'waits for the store')
    const { first, max } = away ? pauses.unavailable : pauses.other
    return Math.min(max, first * 2 ** Math.min(failures - 1, 10))
  }

  function wait(ms: number, deaf: boolean): Promise<void> {
    if (stopping || (nudged && !deaf)) return Promise.resolve()
    return new Promise((resolve) => {
      // A loop that rests keeps no process alive.
      const timer = setTimeout(() => wake?.('stop'), ms).unref()
      wake = (cause) => {
        if (cause === 'nudge' && deaf) return
        clearTimeout(timer)
        wake = null
        resolve()
      }
    })
  }

  function bug(error: unknown): void {
    const broken = error instanceof AssertionError
    const message = broken ? 'an invariant is broken' : 'a round failed that cannot be repeated'
    logger.error({ loop: name, err: error }, message)
    process.nextTick(() => {
      throw error
    })
  }
}
