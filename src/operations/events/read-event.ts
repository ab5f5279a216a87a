import { Fault } from '../../faults.ts'
import type { LogReader, Partition } from '../../parts/event-log/port.ts'
import type {
  ArchiveReader,
  ArchiveView,
  BlockCursor,
  HeldBlock,
} from '../../parts/store/archive.ts'
import type { MeasuredRecord } from '../../rules/archive/block.ts'
import { catalogReader, receivedAt } from '../../rules/archive/block.ts'
import { probesOf } from '../../rules/archive/bloom.ts'
import { findFingerprint } from '../../rules/archive/fingerprints.ts'
import type { Owner } from '../../rules/archive/line.ts'
import {
  belongsTo,
  eventOf,
  mayHoldAll,
  ndjsonLines,
  parseLine,
  verdicts,
} from '../../rules/archive/line.ts'
import { markAt } from '../../rules/meter/route-mark.ts'
import type { UsageEvent } from '../../rules/meter/usage-event.ts'
import type { Identity } from '../../std/fingerprint.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { measuredRecords } from './measured-records.ts'

/**
 * Computes the keyed hash of an event's identity, and the partition that it chooses
 * (std/fingerprint.ts).
 */
export interface Identify {
  identity(businessId: string, mode: Owner['mode'], eventId: string): Identity
  partitionOf(place: number, partitions: number): Partition
}

export interface ReadEventNeeds extends Identify {
  readonly archive: ArchiveReader
  /** Null: events are found only after they are archived. */
  readonly reader: LogReader | null
  readonly partitions: number
  /** For how long events are kept at least. */
  readonly eventRetention: Duration
}

/** An event as it was accepted, and what measuring found out about it. */
export interface FoundEvent {
  readonly event: UsageEvent
  readonly verdict: number
  /** Log time. */
  readonly receivedAt: Instant
  /** Its line in the log, without the line feed. */
  readonly line: string
  /** What it was measured under, as its batch says: the catalogs, and the mark of its routes. */
  readonly catalogs: unknown
  readonly routeMark: number
}

/**
 * The measured event with this id, the newest one if the id was used again after the dedupe window;
 * null when there is none. Never a repeat, because the first copy is the one that counted. Ids are
 * case-sensitive. [events#reading-events]
 *
 * @throws Fault UNAVAILABLE when a batch names the event but neither log nor archive shows it: a
 * caller must not be told that a measured event does not exist.
 */
export async function readEvent(
  needs: ReadEventNeeds,
  owner: Owner,
  eventId: string,
): Promise<FoundEvent | null> {
  const identity = needs.identity(owner.businessId, owner.mode, eventId)
  const partition = needs.partitionOf(identity[3], needs.partitions)
  const wanted: WantedEvent = { owner, eventId, partition, identity }
  // The tail first: whatever leaves it meanwhile is in the archive by the time that is read.
  const recent = await inTail(needs, wanted)
  if (recent !== null && recent !== 'misfit') return recent
  const archived = await needs.archive.view((view) => inBlocks(view, wanted))
  if (archived !== null || recent === null) return archived
  throw new Fault(
    'UNAVAILABLE',
    'This event is measured, but its record cannot be read just now.',
    {
      retryAfterSeconds: 1,
    },
  )
}

interface WantedEvent {
  readonly owner: Owner
  readonly eventId: string
  readonly partition: Partition
  readonly identity: Identity
}

/**
 * While a tail is read its beginning may be archived and trimmed, with the wanted event in it; the
 * next look then begins later. `misfit`: a batch names the event, but the log does not show what
 * the batch was made of.
 */
async function inTail(
  needs: ReadEventNeeds,
  wanted: WantedEvent,
): Promise<FoundEvent | 'misfit' | null> {
  for (let look = 1; look < looksMax; look += 1) {
    const found = await lookInTail(needs, wanted)
    if (found !== 'misfit') return found
  }
  return lookInTail(needs, wanted)
}

const looksMax = 3

async function lookInTail(
  { archive, reader }: ReadEventNeeds,
  wanted: WantedEvent,
): Promise<FoundEvent | 'misfit' | null> {
  const positions = await archive.positions()
  const position = positions.find((candidate) => candidate.partition === wanted.partition)
  if (reader === null || position === undefined) return null
  let found: FoundEvent | null = null
  let from = position.archived ?? (await reader.bounds(wanted.partition)).first
  while (from < position.measured) {
    const range = { from, to: position.measured, eventsMax: tailEventsMax }
    const stretch = await archive.measured(wanted.partition, range)
    if (
      stretch.batches.some((batch) => findFingerprint(batch.fingerprints, wanted.identity) >= 0)
    ) {
      const read = await measuredRecords(reader, stretch, {
        partition: wanted.partition,
        from,
        bytesMax: Number.POSITIVE_INFINITY,
      })
      if (read.kind === 'misfit') return found ?? 'misfit'
      for (const record of read.records) found = inRecord(record, wanted) ?? found
    }
    from = stretch.end
  }
  return found
}

const tailEventsMax = 20_000

function inRecord(record: MeasuredRecord, wanted: WantedEvent): FoundEvent | null {
  const index = findFingerprint(record.fingerprints, wanted.identity)
  if (index < 0) return null
  const found = inLines(ndjsonLines(record.value), record.verdicts, wanted)
  if (found === null) return null
  const routeMark = markAt(record.routeMarks, found.index)
  return { ...found, receivedAt: record.at, catalogs: record.catalog, routeMark }
}

async function inBlocks(view: ArchiveView, wanted: WantedEvent): Promise<FoundEvent | null> {
  const probes = probesOf(wanted.identity[0], wanted.identity[1])
  let behind: BlockCursor | null = null
  while (true) {
    const blocks: readonly HeldBlock[] = await view.holding(wanted.partition, probes, behind)
    for (const block of blocks) {
      const found = inLines(ndjsonLines(await block.ndjson()), block.verdicts, wanted)
      if (found !== null) return inBlock(block, found)
    }
    const last = blocks.at(-1)
    if (last === undefined) return null
    behind = { at: last.logAt, blockId: last.blockId }
  }
}

function inBlock(block: HeldBlock, found: FoundLine): FoundEvent {
  return {
    ...found,
    receivedAt: receivedAt(block.places, found.index),
    catalogs: catalogReader(block.catalogs)(found.index),
    routeMark: markAt(block.routeMarks, found.index),
  }
}

interface FoundLine extends Pick<FoundEvent, 'event' | 'verdict' | 'line'> {
  readonly index: number
}

/** The last line that has the id and is no repeat. */
function inLines(
  lines: readonly string[],
  verdictOf: Uint8Array,
  { owner, eventId }: WantedEvent,
): FoundLine | null {
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const text = lines[index] ?? ''
    const verdict = verdictOf[index] ?? verdicts.duplicate
    if (verdict === verdicts.duplicate || !mayHoldAll(text, [eventId])) continue
    const line = parseLine(text)
    if (line.event_id !== eventId || !belongsTo(owner, line)) continue
    return { event: eventOf(line), verdict, line: text, index }
  }
  return null
}
