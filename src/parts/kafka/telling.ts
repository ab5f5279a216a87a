import type { Logger } from '../../runtime/logger.ts'

/**
 * Warns of what goes on for long, such as a broker that is away, no more often than every five
 * seconds; the rest is there for those who look closely.
 */
export function nowAndThen(logger: Logger): (fields: object, message: string) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  return (fields, message) => {
    const due = performance.now() - toldAt > everyMs
    if (due) toldAt = performance.now()
    logger[due ? 'warn' : 'debug']({ ...fields }, message)
  }
}

const everyMs = 5_000
