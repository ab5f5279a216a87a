import type { Logger } from './logger.ts'

/**
 * Warns of what may go on for long, such as a broker that is away or too many requests: each
 * sentence at most once in five seconds. The repeats are logged at level `debug`.
 */
export function nowAndThen(logger: Logger): (fields: object, message: string) => void {
  const toldAt = new Map<string, number>()
  return (fields, message) => {
    const now = performance.now()
    const due = now - (toldAt.get(message) ?? Number.NEGATIVE_INFINITY) > everyMs
    if (due) {
      // Sentences with names in them could become many.
      if (toldAt.size >= sentencesMax) toldAt.clear()
      toldAt.set(message, now)
    }
    logger[due ? 'warn' : 'debug']({ ...fields }, message)
  }
}

const everyMs = 5_000
const sentencesMax = 100
