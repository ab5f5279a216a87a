import { limits } from '../../limits.ts'
import type { Offset, Partition } from '../../parts/event-log/port.ts'
import type {
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
  verdicts,
} from '../../rules/archive/line.ts'
import { unpackPlaces } from '../../rules/archive/places.ts'
import type { PlacedEvent } from '../../rules/explain/usage-so-far.ts'
import type { EventPlace } from '../../rules/meter/place.ts'
import type { Pace } from '../../runtime/thread-share.ts'
import { paced } from '../../runtime/thread-share.ts'
import type { Instant } from '../../std/instant.ts'
import type { EventTailNeeds } from './tail.ts'
import { wholeTail } from './tail.ts'

/** Which measured events to visit. */
export interface Walk {
  readonly owner: Owner
  readonly customerId: string
  readonly eventName: string
  /** Bounds of the events' own timestamps, both included. */
  readonly from: Instant
  readonly to: Instant
  /** Whether the record at this offset matters; others are not unpacked. */
  readonly wants: (partition: Partition, offset: Offset) => boolean
  /** How long the walk may take in ms; absent: `limits.explainWalkMs`. */
  readonly withinMs?: number
}

/** False: older events are no longer kept, or there were too many to read them all in time. */
export interface Walked {
  readonly complete: boolean
}

// Two thousand blocks are some millions of events of one customer: seconds, not minutes.
const blocksMax = 2_000

/**
 * Visits every measured event that is asked for once, without repeats, in no order. Takes the tail
 * first and the archive afterwards, because events only move from the tail to the archive.
 */
export async function walkEvents(
  needs: EventTailNeeds,
  walk: Walk,
  visit: (placed: PlacedEvent) => void,
): Promise<Walked> {
  const positions = await needs.archive.positions()
  const archivedTo = new Map<Partition, Offset>()
  const until = performance.now() + (walk.withinMs ?? limits.explainWalkMs)
  let complete = true
  for (const { partition } of positions) {
    const tail = await wholeTail(needs, partition)
    if (tail === null) continue
    archivedTo.set(partition, tail.from)
    complete &&= tail.complete
    for (const record of tail.records) {
      if (!walk.wants(partition, record.offset)) continue
      const place = { partition, offset: record.offset, receivedAt: record.at }
      visitLines(ndjsonLines(record.value), { walk, visit, verdictOf: record.verdicts }, place)
    }
  }
  const blocks = await paced((pace) =>
    needs.archive.view(async (view) => walkBlocks(view, { walk, visit, archivedTo, pace, until })),
  )
  return { complete: complete && blocks < blocksMax }
}

/** Answers how many blocks it saw; `blocksMax`, as for a walk that is too long, when time is over. */
async function walkBlocks(view: ArchiveView, context: BlockContext): Promise<number> {
  let seen = 0
  let behind: BlockCursor | null = null
  while (seen < blocksMax) {
    const page: readonly FoundBlock[] = await view.page(filterOf(context.walk), behind, 16)
    for (const block of page) {
      if (performance.now() >= context.until) return blocksMax
      await visitBlock(block, context)
    }
    const last = page.at(-1)
    if (last === undefined) return seen
    behind = { at: last.lastAt, blockId: last.blockId }
    seen += page.length
  }
  return seen
}

const filterOf = ({ owner, customerId, eventName, from, to }: Walk): BlockFilter => ({
  ...owner,
  customerId,
  eventName,
  from,
  to,
})

type Visit = (placed: PlacedEvent) => void

interface BlockContext {
  readonly walk: Walk
  readonly visit: Visit
  readonly archivedTo: ReadonlyMap<Partition, Offset>
  readonly pace: Pace
  readonly until: number
}

async function visitBlock(block: FoundBlock, context: BlockContext): Promise<void> {
  const { walk, visit, archivedTo, pace } = context
  const { partition } = block
  const upTo = archivedTo.get(partition) ?? 0
  const wanted = (offset: Offset): boolean => offset < upTo && walk.wants(partition, offset)
  const places = unpackPlaces(block.places)
  if (!places.some((place) => wanted(place.offset))) return
  const lines = ndjsonLines(await block.ndjson())
  let first = 0
  for (const { offset, at, events } of places) {
    const own = lines.slice(first, first + events)
    const verdictOf = block.verdicts.subarray(first, first + events)
    first += events
    const place = { partition, offset, receivedAt: at }
    if (!wanted(offset)) continue
    // Reading a block's lines takes milliseconds, so others get their turn in between.
    pace.piece(() => visitLines(own, { walk, visit, verdictOf }, place))
    await pace.rest()
  }
}

function visitLines(
  lines: readonly string[],
  context: { readonly walk: Walk; readonly visit: Visit; readonly verdictOf: Uint8Array },
  place: Omit<EventPlace, 'index'>,
): void {
  const { walk, visit, verdictOf } = context
  const texts = [walk.owner.businessId, walk.customerId, walk.eventName]
  lines.forEach((text, index) => {
    const verdict = verdictOf[index] ?? verdicts.duplicate
    if (verdict === verdicts.duplicate || !mayHoldAll(text, texts)) return
    const line = parseLine(text)
    if (!belongsTo(walk.owner, line) || line.customer_id !== walk.customerId) return
    if (line.event_name !== walk.eventName) return
    const event = eventOf(line)
    if (event.timestamp < walk.from || event.timestamp > walk.to) return
    visit({ event, place: { ...place, index }, verdict })
  })
}
