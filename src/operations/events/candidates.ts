import type { BlockFilter, FoundBlock } from '../../parts/store/archive.ts'
import type { Owner } from '../../rules/archive/line.ts'
import {
  belongsTo,
  eventOf,
  mayHoldAll,
  ndjsonLines,
  parseLine,
  timestampIn,
  verdicts,
} from '../../rules/archive/line.ts'
import type { Place } from '../../rules/archive/newest.ts'
import type { Metadata, UsageEvent } from '../../rules/meter/usage-event.ts'
import type { Instant } from '../../std/instant.ts'
import { earlierOf, formatInstant } from '../../std/instant.ts'

/** All conditions must hold; null: no such condition. Times include both ends. */
export interface EventQuery {
  readonly owner: Owner
  readonly customerId: string | null
  readonly eventName: string | null
  readonly start: Instant | null
  readonly end: Instant | null
  /** A meter's filter; null when no meter is asked for, or when it has no filter. */
  readonly matches: ((metadata: Metadata) => boolean) | null
  readonly offset: number
  readonly limit: number
}

export function blockFilter(query: EventQuery, behind: Place | null): BlockFilter {
  return {
    ...query.owner,
    customerId: query.customerId,
    eventName: query.eventName,
    from: query.start,
    to: earlierBound(query.end, behind?.at ?? null),
  }
}

export interface Candidate extends Place {
  readonly event: UsageEvent
}

export const placeKey = ({ at, id }: Place): string => `${at} ${id}`

export interface Sieve {
  readonly query: EventQuery
  /** Events after this moment cannot be on the page. */
  readonly latest: Instant | null
  /** Events before this moment cannot be on the page, as far as the walk has come. */
  readonly oldest: () => Instant | null
}

/** Some lines of a block or a record, from one up to another, which is excluded. */
export interface LinePiece {
  readonly lines: readonly string[]
  readonly verdictOf: Uint8Array
  readonly from: number
  readonly to: number
}

/** Reading a block's lines takes milliseconds, so others get their turn in between. */
const pieceLines = 256

export const allLines = (lines: readonly string[], verdictOf: Uint8Array): LinePiece => ({
  lines,
  verdictOf,
  from: 0,
  to: lines.length,
})

/**
 * The events among some lines that match the query. Begins with the last line, which is likely the
 * newest: then many that are too old for the page need not be parsed.
 */
export function* candidatesOf(
  { lines, verdictOf, from: first, to }: LinePiece,
  { query, latest, oldest }: Sieve,
): Generator<Candidate> {
  const texts = [query.owner.businessId, query.customerId, query.eventName].filter(
    (text) => text !== null,
  )
  const until = sortable(earlierBound(query.end, latest))
  let bound = query.start
  let from = sortable(bound)
  for (let index = to - 1; index >= first; index -= 1) {
    const text = lines[index] ?? ''
    if (verdictOf[index] === verdicts.duplicate || !mayHoldAll(text, texts)) continue
    const lowest = oldest()
    if (lowest !== null && (bound === null || lowest > bound)) {
      bound = lowest
      from = sortable(bound)
    }
    const at = timestampIn(text)
    if (at !== null && ((from !== null && at < from) || (until !== null && at > until))) continue
    const line = parseLine(text)
    if (!belongsTo(query.owner, line)) continue
    const event = eventOf(line)
    if (passes(event, query)) yield { at: event.timestamp, id: event.eventId, event }
  }
}

const sortable = (at: Instant | null): string | null => (at === null ? null : formatInstant(at))

export const earlierBound = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || b === null ? (a ?? b) : earlierOf(a, b)

function passes(event: UsageEvent, query: EventQuery): boolean {
  if (query.customerId !== null && event.customerId !== query.customerId) return false
  if (query.eventName !== null && event.eventName !== query.eventName) return false
  if (query.start !== null && event.timestamp < query.start) return false
  if (query.end !== null && event.timestamp > query.end) return false
  return query.matches === null || query.matches(event.metadata ?? nothing)
}

/** For events without metadata, which lack every property, even `constructor`. */
const nothing: Metadata = Object.freeze(Object.create(null) as Metadata)

/** Looks at so many lines, and answers what to wait for before the next ones. */
export type Look = (lines: number, work: () => void) => Promise<void> | null

/** A block's lines, its last ones first. */
export async function eachPiece(
  block: FoundBlock,
  look: Look,
  work: (piece: LinePiece) => void,
): Promise<void> {
  const bytes = await block.ndjson()
  let lines: readonly string[] = []
  await look(0, () => {
    lines = ndjsonLines(bytes)
  })
  for (let to = lines.length; to > 0; to -= pieceLines) {
    const piece = { lines, verdictOf: block.verdicts, from: Math.max(0, to - pieceLines), to }
    await look(piece.to - piece.from, () => work(piece))
  }
}
