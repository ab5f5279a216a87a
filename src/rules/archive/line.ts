import type { Instant } from '../../std/instant.ts'
import { formatInstant, parseInstant } from '../../std/instant.ts'
import type { Mode } from '../meter/meter.ts'
import type { LogLine, UsageEvent } from '../meter/usage-event.ts'

/** What measuring found out about an event. Lists leave out duplicates only. */
export const verdicts = { billed: 0, unmatched: 1, duplicate: 2, quarantined: 3 } as const

/** Whose events are asked for. */
export interface Owner {
  readonly businessId: string
  readonly mode: Mode
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The lines of our NDJSON, each of which ends with a line feed. */
export function ndjsonLines(ndjson: Uint8Array): readonly string[] {
  const lines = decoder.decode(ndjson).split('\n')
  lines.pop()
  return lines
}

/**
 * Throws where the line is not JSON, which measuring would have put into quarantine. Not with the
 * parser's own message: that quotes the line, and no payload belongs into a log.
 */
export function parseLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine
  } catch {
    throw new Error('A measured line of the log is not JSON.')
  }
}

/** The event that a line holds. */
export function eventOf(line: LogLine): UsageEvent {
  const timestamp = parseInstant(line.timestamp)
  if (timestamp === null) throw new Error('An archived event has a timestamp that cannot be read.')
  return {
    eventId: line.event_id,
    customerId: line.customer_id,
    eventName: line.event_name,
    timestamp,
    metadata: line.metadata ?? null,
    ...(line.backfilled_at === undefined ? {} : { backfilledAt: backfilledIn(line) }),
  }
}

function backfilledIn({ backfilled_at: text }: LogLine): Instant {
  const at = parseInstant(text ?? '')
  if (at === null) throw new Error('An archived event has a backfilled_at that cannot be read.')
  return at
}

export const belongsTo = (owner: Owner, line: LogLine): boolean =>
  line.business_id === owner.businessId && line.mode === owner.mode

/** Whose event a line holds, and of which name. */
export const sourceOf = (line: LogLine) => ({
  businessId: line.business_id,
  mode: line.mode,
  customerId: line.customer_id,
  eventName: line.event_name,
})

/**
 * False: the line certainly has no string equal to each of `texts`. Parsing costs five times as
 * much as this check, and most lines of a block belong to somebody else. A line without a backslash
 * has all its strings verbatim; a line with one is never ruled out.
 */
export const mayHoldAll = (line: string, texts: readonly string[]): boolean =>
  line.includes('\\') || texts.every((text) => line.includes(text))

/** The timestamp as a text that sorts like the time: RFC 3339 in UTC with microseconds. */
export function sortableTimestamp(text: string): string {
  if (text.length === 27 && text[26] === 'Z' && text[10] === 'T') return text
  const at = parseInstant(text)
  if (at === null) throw new Error('An event of the log has a timestamp that cannot be read.')
  return formatInstant(at)
}

const marker = '"timestamp":"'

/**
 * The timestamp of a line without parsing it, as `sortableTimestamp` writes it; null when it cannot
 * be told so easily. It relies on our lines having no blanks between key and value: without a
 * backslash the marker can only be a key, and only the event itself has that key.
 */
export function timestampIn(line: string): string | null {
  const at = line.indexOf(marker)
  if (at < 0 || line.indexOf(marker, at + 1) >= 0 || line.includes('\\')) return null
  const from = at + marker.length
  return line[from + 26] === 'Z' && line[from + 27] === '"' ? line.slice(from, from + 27) : null
}
