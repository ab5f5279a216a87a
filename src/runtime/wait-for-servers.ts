import { Fault } from '../faults.ts'
import type { Logger } from './logger.ts'
import { pauseFor } from './pause.ts'

/** A start of a process that may have to wait for servers. */
export interface Start {
  /** Aborted: the start is given up. */
  readonly signal: AbortSignal
  /** Called with what the start waits for, and with null once that is over; `/readyz` shows it. */
  readonly waitsFor: (what: string | null) => void
}

export interface Waiting extends Start {
  /** The name of what is waited for, as operators know it: `Kafka`. */
  readonly what: string
  readonly logger: Logger
}

/** For the engine: its thread is ended with the process, so nothing needs to interrupt it. */
export const unhurried: Start = {
  signal: new AbortController().signal,
  waitsFor: () => undefined,
}

const pauseMs = 1_000

/**
 * Repeats `work` while what it needs cannot be reached: a process that starts before its servers
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
