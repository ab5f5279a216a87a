import type { Logger } from './logger.ts'

export interface End {
  readonly reason: string
  readonly status: number
}

/** How a process that runs until it is told to stop comes to its end. */
export interface Ending {
  /** Resolves when the process has been told to stop. */
  readonly ended: Promise<End>
  /** Aborted as soon as the process has been told to stop. */
  readonly signal: AbortSignal
  readonly failed: () => boolean
  /** Adds work that must be done even when the process dies of an error. */
  onDeath(work: () => Promise<void> | undefined): void
  readonly died: (error: unknown) => void
}

/**
 * Waits for signals, and for errors that nobody caught. Both may come more than once: the first
 * counts.
 */
export function awaitEnd(logger: Logger): Ending {
  const abort = new AbortController()
  let dying = false
  let lastRites: () => Promise<void> | undefined = () => undefined
  const ended = new Promise<End>((done) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        abort.abort(new Error(`${name} came during the start.`))
        done({ reason: name, status: 0 })
      })
    }
  })
  process.on('uncaughtException', died)
  process.on('unhandledRejection', died)
  const onDeath: Ending['onDeath'] = (work) => {
    lastRites = work
  }
  return { ended, signal: abort.signal, failed: () => dying, onDeath, died }

  /** The process can no longer be trusted, but PostgreSQL must still be shut down. */
  function died(error: unknown): void {
    if (dying) return
    dying = true
    logger.fatal({ error }, 'The process cannot go on.')
    const timer = setTimeout(() => process.exit(1), 8_000)
    timer.unref()
    void Promise.resolve(lastRites()).finally(() => process.exit(1))
  }
}
