import { Fault } from '../faults.ts'
import type { Logger } from './logger.ts'
import { pauseFor } from './pause.ts'

export interface Waiting {
  /** Who is waited for, as an operator calls it: `Kafka`. */
  readonly what: string
  readonly logger: Logger
  /** Gives up. */
  readonly signal: AbortSignal
}

const pauseMs = 1_000

/**
 * Does `work` again while what it needs cannot be reached: a process that starts before its servers
 * waits for them, and says so. Any other failure is thrown.
 */
export async function patiently<T>(
  { what, logger, signal }: Waiting,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'UNAVAILABLE') throw error
      if (tries % 10 === 1) logger.warn({ error, tries }, `The start waits for ${what}.`)
      await pauseFor(pauseMs)
    }
  }
}
