import { isUtf8, textOf } from '../../std/bytes.ts'
import type { Instant } from '../../std/instant.ts'
import { instantOf, parseInstant, second } from '../../std/instant.ts'
import type { LogLine } from './usage-event.ts'

/**
 * A record's lines with their timestamps, by position. One object is used again for every record.
 */
export interface Lines {
  readonly lines: LogLine[]
  readonly timestamps: Instant[]
  /** Undefined where the line has none. */
  readonly backfilledAt: (Instant | undefined)[]
}

/**
 * Reads a whole record, or says why it cannot be read: a record with one broken line was not
 * written by Sluice, and half of it must not count. Never throws, whatever the bytes; and a reason
 * repeats none of them. [machines#the-log]
 */
export function readRecord(value: Uint8Array, events: number, into: Lines): string | null {
  into.lines.length = 0
  into.timestamps.length = 0
  into.backfilledAt.length = 0
  // Node would read wrong bytes as U+FFFD, and so two different ids as one.
  if (!isUtf8(value)) return 'The record is not UTF-8.'
  for (const text of lineTexts(value)) {
    const problem = readLine(text, into)
    if (problem !== null) return `Line ${into.lines.length + 1} ${problem}.`
  }
  return into.lines.length === events
    ? null
    : `The record has ${into.lines.length} lines, and ${events} were announced.`
}

/** The lines of a record, unparsed. */
export function* lineTexts(value: Uint8Array): Generator<string> {
  const text = textOf(value)
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from)
    const to = newline < 0 ? text.length : newline
    yield text.slice(from, to)
    from = to + 1
  }
}

/** Reads a line of a record that was read before, and so is known to be readable. */
export function readLineAgain(text: string): {
  readonly line: LogLine
  readonly timestamp: Instant
  readonly backfilledAt: Instant | undefined
} {
  const line = JSON.parse(text) as LogLine
  const timestamp = readTimestamp(line.timestamp)
  const backfilledAt = readBackfilledAt(line)
  if (timestamp === null || backfilledAt === null) {
    throw new Error('A line that could be read cannot be read again.')
  }
  return { line, timestamp, backfilledAt }
}

/** Null where there is one that is no date-time. */
function readBackfilledAt({ backfilled_at: text }: LogLine): Instant | undefined | null {
  if (text === undefined) return undefined
  return typeof text === 'string' ? readTimestamp(text) : null
}

function readLine(text: string, into: Lines): string | null {
  const line = parse(text)
  if (line === undefined) return 'is not JSON'
  if (!isObject(line)) return 'is not an object'
  const problem = whyNotOurs(line)
  if (problem !== null) return problem
  const timestamp = readTimestamp(line.timestamp)
  if (timestamp === null) return 'has a timestamp that is not an RFC 3339 date-time'
  const backfilledAt = readBackfilledAt(line)
  if (backfilledAt === null) return 'has a backfilled_at that is not an RFC 3339 date-time'
  into.lines.push(line)
  into.timestamps.push(timestamp)
  into.backfilledAt.push(backfilledAt)
  return null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is LogLine =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Says why a line is not one of ours. LogLine is the type of our lines; the checks are for all
 * others.
 */
function whyNotOurs(line: LogLine): string | null {
  if (typeof line.business_id !== 'string') return 'has no business_id'
  if (line.mode !== 'test' && line.mode !== 'live') return 'has no mode'
  if (typeof line.event_id !== 'string') return 'has no event_id'
  if (typeof line.customer_id !== 'string') return 'has no customer_id'
  if (typeof line.event_name !== 'string') return 'has no event_name'
  if (typeof line.timestamp !== 'string') return 'has no timestamp'
  const { metadata } = line
  if (metadata !== undefined && metadata !== null && !isObject(metadata))
    return 'has metadata that is not an object'
  return null
}

let minuteText = ''
let minuteAt = 0

/**
 * Like parseInstant. Events that come together mostly fall into the same minute, so of the form
 * that we write (`2026-01-31T12:00:00.000000Z`) usually only the seconds are read.
 */
function readTimestamp(text: string): Instant | null {
  if (text.length !== 27 || text[26] !== 'Z' || text[19] !== '.') return parseInstant(text)
  const micros = digits(text, 17, 19) * second + digits(text, 20, 26)
  if (!(micros < 60 * second)) return parseInstant(text)
  if (!text.startsWith(minuteText) || minuteText === '') {
    const start = parseInstant(`${text.slice(0, 17)}00Z`)
    if (start === null) return null
    minuteText = text.slice(0, 17)
    minuteAt = start
  }
  return instantOf(minuteAt + micros)
}

/** Reads digits as a number; NaN where there is another character. */
function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let index = from; index < to; index += 1) {
    const digit = text.charCodeAt(index) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}
