import { Fault } from '../faults.ts'
import type { Logger } from './logger.ts'
import { pauseFor } from './pause.ts'

/** A start that may have to wait. */
export interface Start {
  /** Gives up. */
  readonly signal: AbortSignal
  /** Told who is waited for, and null once that is over: `/readyz` says so. */
  readonly waitsFor: (what: string | null) => void
}

export interface Waiting extends Start {
  /** Who is waited for, as an operator calls it: `Kafka`. */
  readonly what: string
  readonly logger: Logger
}

/** For the engine: the thread is ended with the process. */
export const unhurried: Start = {
  signal: new AbortController().signal,
  waitsFor: () => undefined,
}

const pauseMs = 1_000

/**
 * Does `work` again while what it needs cannot be reached: a process that starts before its servers
 * waits for them, and says so. Any other failure is thrown.
 */
export async function patiently<T>(
  { what, logger, signal, waitsFor }: Waiting,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted()
    try {
      const done = await work()
      waitsFor(null)
      return done
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'UNAVAILABLE') throw error
      waitsFor(what)
      if (tries % 10 === 1) logger.warn({ error, tries }, `The start waits for ${what}.`)
      await pauseFor(pauseMs)
    }
  }
}
