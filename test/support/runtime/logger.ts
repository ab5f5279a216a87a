import type { Logger } from '../../../src/runtime/logger.ts'
import { openLogger } from '../../../src/runtime/logger.ts'

/** A line of the log. */
export interface Logged {
  readonly level: string
  readonly fields: object
  readonly message: string
}

/** A logger that keeps what it is told instead of writing it. */
export function rememberingLogger(
  told: Logged[] = [],
): Logger & { readonly told: readonly Logged[] } {
  const at = (level: string) => (fields: object, message: string) =>
    void told.push({ level, fields, message })
  return {
    told,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
    child: () => rememberingLogger(told),
  }
}

/** A logger for parts whose diagnostics do not matter to a test. */
export const quiet: Logger = openLogger({ level: 'silent', part: 'test' })
