// pino: JSON lines with redaction, and cheap when a level is off. This is the only import of it.
import { pino } from 'pino'

type Fields = Readonly<Record<string, unknown>>

/**
 * Diagnostics as JSON lines: fields first, then a sentence; an error goes into the field `error`.
 * Fields hold ids and counts, never a key, a secret or a payload.
 */
export interface Logger {
  debug(fields: Fields, message: string): void
  info(fields: Fields, message: string): void
  warn(fields: Fields, message: string): void
  error(fields: Fields, message: string): void
  fatal(fields: Fields, message: string): void
  /** A logger that adds `fields` to each of its lines. */
  child(fields: Fields): Logger
}

export interface LoggerOptions {
  readonly level: string
  /** The thread or command that logs; part of every line. */
  readonly part: string
  /** Takes the lines instead of stderr. */
  readonly write?: (line: string) => void
}

/**
 * Lines go to stderr, since stdout is for results. They are written at once, so that a crash loses
 * none.
 */
export function openLogger(options: LoggerOptions): Logger {
  const { write } = options
  const logger = pino(
    {
      level: options.level,
      base: { part: options.part },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // pino's own serializer of `err` would copy every property of an error.
      serializers: { error: describe, err: describe },
      redact: { paths: secretPaths, censor: '[redacted]' },
    },
    write === undefined ? pino.destination({ fd: 2, sync: true }) : { write },
  )
  return wrap(logger)
}

/** Secrets should never get here; these names are removed in case they do. */
const secretPaths = ['authorization', 'api_key', 'apiKey', 'secret', 'password', 'cookie'].flatMap(
  (name) => [name, `*.${name}`, `*.*.${name}`],
)

function wrap(logger: pino.Logger): Logger {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    fatal: (fields, message) => logger.fatal(fields, message),
    child: (fields) => wrap(logger.child(fields)),
  }
}

/**
 * Name, message, code and stack of an error, and the same of its cause. Other properties are left
 * out, because an error of the database carries the row that it was about.
 */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? { code: error.code } : {}
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) }
  return { type: error.name, message: error.message, ...code, stack: error.stack, ...cause }
}
