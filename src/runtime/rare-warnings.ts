import type { Logger } from './logger.ts'

/**
 * Warns of what goes on for long, such as a broker that is away or too many requests: each sentence
 * no more often than every five seconds. The rest is there for those who look closely (`debug`).
 */
export function nowAndThen(logger: Logger): (fields: object, message: string) => void {
  const toldAt = new Map<string, number>()
  return (fields, message) => {
    const now = performance.now()
    const due = now - (toldAt.get(message) ?? Number.NEGATIVE_INFINITY) > everyMs
    if (due) {
      // Sentences that name what they speak of could become many.
      if (toldAt.size >= sentencesMax) toldAt.clear()
      toldAt.set(message, now)
    }
    logger[due ? 'warn' : 'debug']({ ...fields }, message)
  }
}

const everyMs = 5_000
const sentencesMax = 100
