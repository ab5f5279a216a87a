import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { LogReader } from '../../parts/event-log/port.ts'
import type {
  ArchiveReader,
  ArchiveView,
  BlockCursor,
  BlockFilter,
  FoundBlock,
} from '../../parts/store/archive.ts'
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
import type { Newest, Place } from '../../rules/archive/newest.ts'
import { byNewest, newest } from '../../rules/archive/newest.ts'
import type { Metadata, UsageEvent } from '../../rules/meter/usage-event.ts'
import type { Pace } from '../../runtime/thread-share.ts'
import { paced } from '../../runtime/thread-share.ts'
import type { Instant } from '../../std/instant.ts'
import { earlierOf, formatInstant } from '../../std/instant.ts'
import type { Tail } from './event-tail.ts'
import { eventTail } from './event-tail.ts'

export interface ListEventsNeeds {
  readonly archive: ArchiveReader
  /** Null: events are listed only after they are archived. */
  readonly reader: LogReader | null
}

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

export interface EventList {
  /** Newest timestamp first, then by event id in descending order. Repeats are left out. */
  readonly events: readonly UsageEvent[]
  /** The log time up to which every measured event was looked at. */
  readonly completeTo: Instant
}

// A page within the first thousand events is selected in one go. For deeper pages the events to be
// skipped are selected by time and id alone, so many at a time, so that memory stays bounded at any
// depth.
const selectionMax = 1_000
const skippedMax = 50_000

/** A page of measured events. [events#reading-events, requests#lists] */
export async function listEvents(needs: ListEventsNeeds, query: EventQuery): Promise<EventList> {
  const tail = await eventTail({ measured: needs.archive, reader: needs.reader })
  const recent = recentOf(tail, query)
  const events = await paced((pace) =>
    needs.archive.view((view) => pageOf({ view, recent, query, look: looking(pace) })),
  )
  return { events, completeTo: tail.completeTo }
}

interface Listing {
  readonly view: ArchiveView
  readonly recent: readonly Candidate[]
  readonly query: EventQuery
  /** Looks at so many lines, and answers what to wait for before the next ones. */
  readonly look: (lines: number, work: () => void) => Promise<void> | null
}

/** Shares the thread with others, and ends a list that would take too much for too long. */
function looking(pace: Pace): Listing['look'] {
  let looked = 0
  return (lines, work) => {
    looked += lines
    if (looked > limits.scanEventsMax) throw tooFar()
    pace.piece(work)
    return pace.rest()
  }
}

const tooFar = (): Fault =>
  new Fault(
    'INVALID_REQUEST_PARAMETERS',
    `More than ${limits.scanEventsMax} events would have to be looked at: ask for a shorter time with start and end, or for an earlier page.`,
  )

interface Candidate extends Place {
  readonly event: UsageEvent
}

async function pageOf(listing: Listing): Promise<readonly UsageEvent[]> {
  const { query } = listing
  let behind: Place | null = null
  let skipped = 0
  if (query.offset + query.limit > selectionMax) {
    const most = await listing.view.countAtMost(blockFilter(query, null))
    if (most + listing.recent.length <= query.offset) return []
    while (skipped < query.offset) {
      const max = Math.min(skippedMax, query.offset - skipped)
      const places: readonly Place[] = await select(listing, behind, newest<Place>(max), placeOf)
      if (places.length < max) return []
      behind = places.at(-1) ?? behind
      skipped += max
    }
  }
  const wanted = query.offset - skipped + query.limit
  const found = await select(listing, behind, newest<Candidate>(wanted), (candidate) => candidate)
  return found.slice(query.offset - skipped).map((candidate) => candidate.event)
}

const placeOf = ({ at, id }: Place): Place => ({ at, id })

/**
 * Fills the selection with the newest events behind a place. Blocks come in descending order of
 * their newest event, so the walk ends at the first block that is older than all of a full
 * selection.
 */
async function select<T extends Place>(
  { view, recent, query, look }: Listing,
  behind: Place | null,
  selection: Newest<T>,
  keep: (candidate: Candidate) => T,
): Promise<readonly T[]> {
  const known = new Set(recent.map(keyOf))
  const offer = (candidate: Candidate): void => {
    if (behind === null || byNewest(behind, candidate) < 0) selection.offer(keep(candidate))
  }
  recent.forEach(offer)
  for await (const block of blocksOf(view, blockFilter(query, behind))) {
    const last = selection.last()
    if (last !== null && last.at > block.lastAt) break
    const bytes = await block.ndjson()
    let lines: readonly string[] = []
    await look(0, () => {
      lines = ndjsonLines(bytes)
    })
    const latest = behind?.at ?? null
    const oldest = (): Instant | null => selection.bound()?.at ?? null
    for (let to = lines.length; to > 0; to -= pieceLines) {
      const piece = { lines, verdictOf: block.verdicts, from: Math.max(0, to - pieceLines), to }
      await look(piece.to - piece.from, () => {
        for (const candidate of candidatesOf(piece, { query, latest, oldest })) {
          // An event that was archived meanwhile is in the tail as well.
          if (!known.has(keyOf(candidate))) offer(candidate)
        }
      })
    }
  }
  return selection.items()
}

async function* blocksOf(view: ArchiveView, filter: BlockFilter): AsyncGenerator<FoundBlock> {
  let behind: BlockCursor | null = null
  for (let max = 4; ; max = 16) {
    const blocks: readonly FoundBlock[] = await view.page(filter, behind, max)
    yield* blocks
    const last = blocks.at(-1)
    if (last === undefined || blocks.length < max) return
    behind = { at: last.lastAt, blockId: last.blockId }
  }
}

function blockFilter(query: EventQuery, behind: Place | null): BlockFilter {
  return {
    ...query.owner,
    customerId: query.customerId,
    eventName: query.eventName,
    from: query.start,
    to: earliest(query.end, behind?.at ?? null),
  }
}

function recentOf(tail: Tail, query: EventQuery): readonly Candidate[] {
  const sieve: Sieve = { query, latest: null, oldest: () => null }
  return tail.records.flatMap((record) => [
    ...candidatesOf(wholeOf(ndjsonLines(record.value), record.verdicts), sieve),
  ])
}

interface Sieve {
  readonly query: EventQuery
  /** Events after this moment cannot be on the page. */
  readonly latest: Instant | null
  /** Events before this moment cannot be on the page, as far as the walk has come. */
  readonly oldest: () => Instant | null
}

/** Some lines of a block or a record, from one up to another, which is excluded. */
interface Piece {
  readonly lines: readonly string[]
  readonly verdictOf: Uint8Array
  readonly from: number
  readonly to: number
}

/** Reading a block's lines takes milliseconds, so others get their turn in between. */
const pieceLines = 256

const wholeOf = (lines: readonly string[], verdictOf: Uint8Array): Piece => ({
  lines,
  verdictOf,
  from: 0,
  to: lines.length,
})

/**
 * The events among some lines that match the query. Begins with the last line, which is likely the
 * newest: then many that are too old for the page need not be parsed.
 */
function* candidatesOf(
  { lines, verdictOf, from: first, to }: Piece,
  { query, latest, oldest }: Sieve,
): Generator<Candidate> {
  const texts = [query.owner.businessId, query.customerId, query.eventName].filter(
    (text) => text !== null,
  )
  const until = sortable(earliest(query.end, latest))
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

const earliest = (a: Instant | null, b: Instant | null): Instant | null =>
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

const keyOf = ({ at, id }: Place): string => `${at} ${id}`
