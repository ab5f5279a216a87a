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
import { ndjsonLines } from '../../rules/archive/line.ts'
import type { Newest, Place } from '../../rules/archive/newest.ts'
import { byNewest, newest } from '../../rules/archive/newest.ts'
import type { UsageEvent } from '../../rules/meter/usage-event.ts'
import type { Pace } from '../../runtime/thread-share.ts'
import { paced } from '../../runtime/thread-share.ts'
import type { Instant } from '../../std/instant.ts'
import type { Candidate, EventQuery, Look, Sieve } from './candidates.ts'
import {
  allLines,
  blockFilter,
  candidatesOf,
  eachPiece,
  earlierBound,
  placeKey,
} from './candidates.ts'
import type { Tail } from './event-tail.ts'
import { eventTail } from './event-tail.ts'
import type { Listing } from './passing-over.ts'
import { nothingSkipped, passedOver } from './passing-over.ts'

export interface ListEventsNeeds {
  readonly archive: ArchiveReader
  /** Null: events are listed only after they are archived. */
  readonly reader: LogReader | null
}

export interface EventList {
  /** Newest timestamp first, then by event id in descending order. Repeats are left out. */
  readonly events: readonly UsageEvent[]
  /** The log time up to which every measured event was looked at. */
  readonly completeTo: Instant
}

// A page within the first thousand events is selected in one go. For deeper pages whole blocks are
// passed over where every event counts; what is still to be skipped is selected by time and id
// alone, so many at a time, so that memory stays bounded at any depth.
const selectionMax = 1_000
const skippedMax = 50_000

/** A page of measured events. [events#reading-events, requests#lists] */
export async function listEvents(needs: ListEventsNeeds, query: EventQuery): Promise<EventList> {
  const tail = await eventTail({ measured: needs.archive, reader: needs.reader })
  const recent = recentOf(tail, query)
  const events = await paced((pace) =>
    needs.archive.view((view) =>
      pageOf({ view, recent, recentFrom: recentFrom(tail), query, look: looking(pace) }),
    ),
  )
  return { events, completeTo: tail.completeTo }
}

/** Shares the thread with others, and ends a list that would take too much for too long. */
function looking(pace: Pace): Look {
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

async function pageOf(listing: Listing): Promise<readonly UsageEvent[]> {
  const { query } = listing
  let { behind, skipped } = nothingSkipped
  const wanted = () => query.offset - skipped + query.limit
  if (wanted() > selectionMax) {
    const most = await listing.view.countAtMost(blockFilter(query, null))
    if (most + listing.recent.length <= query.offset) return []
    const passed = await passedOver(listing)
    behind = passed.behind
    skipped = passed.skipped
  }
  while (wanted() > selectionMax && skipped < query.offset) {
    const max = Math.min(skippedMax, query.offset - skipped)
    const places: readonly Place[] = await select(listing, behind, newest<Place>(max), placeOf)
    if (places.length < max) return []
    behind = places.at(-1) ?? behind
    skipped += max
  }
  const found = await select(listing, behind, newest<Candidate>(wanted()), (one) => one)
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
  const known = new Set(recent.map(placeKey))
  const offer = (candidate: Candidate): void => {
    if (behind === null || byNewest(behind, candidate) < 0) selection.offer(keep(candidate))
  }
  recent.forEach(offer)
  for await (const block of blocksOf(view, blockFilter(query, behind))) {
    const last = selection.last()
    if (last !== null && last.at > block.lastAt) break
    const latest = behind?.at ?? null
    const oldest = (): Instant | null => selection.bound()?.at ?? null
    await eachPiece(block, look, (piece) => {
      for (const candidate of candidatesOf(piece, { query, latest, oldest })) {
        // An event that was archived meanwhile is in the tail as well.
        if (!known.has(placeKey(candidate))) offer(candidate)
      }
    })
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

const recentFrom = (tail: Tail): Instant | null =>
  tail.records.reduce<Instant | null>((first, { at }) => earlierBound(first, at), null)

function recentOf(tail: Tail, query: EventQuery): readonly Candidate[] {
  const sieve: Sieve = { query, latest: null, oldest: () => null }
  return tail.records.flatMap((record) => [
    ...candidatesOf(allLines(ndjsonLines(record.value), record.verdicts), sieve),
  ])
}
