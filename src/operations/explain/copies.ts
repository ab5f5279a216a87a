import type { LogReader, Partition } from '../../parts/event-log/port.ts'
import type { ArchiveView, BlockCursor, FoundBlock } from '../../parts/store/archive.ts'
import { probesOf } from '../../rules/archive/bloom.ts'
import type { Owner } from '../../rules/archive/line.ts'
import { belongsTo, eventOf, mayHoldAll, ndjsonLines, parseLine } from '../../rules/archive/line.ts'
import { unpackPlaces } from '../../rules/archive/places.ts'
import type { CopyOfEvent } from '../../rules/explain/copies.ts'
import type { UsageEvent } from '../../rules/meter/usage-event.ts'
import type { Duration } from '../../std/instant.ts'
import type { Identify } from '../events/read-event.ts'
import type { EventTailNeeds, WholeTail } from './tail.ts'
import { wholeTail } from './tail.ts'

export interface CopiesNeeds extends EventTailNeeds, Identify {
  readonly partitions: number
  /** For how long events are kept at least. */
  readonly eventRetention: Duration
}

/**
 * Every copy of an event id that came into the log and is still kept, in order of receipt: measured
 * ones, their repeats, and those that wait to be measured. All are in one partition, because the id
 * chooses it. Ids are case-sensitive.
 */
export async function copiesOf(
  needs: CopiesNeeds,
  owner: Owner,
  eventId: string,
): Promise<readonly CopyOfEvent[]> {
  const [hi, lo, , place] = needs.identity(owner.businessId, owner.mode, eventId)
  const partition = needs.partitionOf(place, needs.partitions)
  const wanted = { owner, eventId, partition }
  const tail = await wholeTail(needs, partition)
  const archived = await needs.archive.view((view) =>
    inBlocks(view, { ...wanted, probes: probesOf(hi, lo), upTo: tail?.from ?? 0 }),
  )
  const waiting = needs.reader === null ? [] : await inLog(needs.reader, wanted, tail)
  return [...archived, ...inTail(tail, wanted), ...waiting].toSorted(
    ({ place: a }, { place: b }) => a.offset - b.offset || a.index - b.index,
  )
}

interface Wanted {
  readonly owner: Owner
  readonly eventId: string
  readonly partition: Partition
}

function inTail(tail: WholeTail | null, wanted: Wanted): readonly CopyOfEvent[] {
  return (tail?.records ?? []).flatMap((record) =>
    found(ndjsonLines(record.value), wanted, (index) => ({
      place: { ...placeIn(wanted, record.offset, index), receivedAt: record.at },
      stored: { in: 'log', blockId: null },
      verdict: record.verdicts[index] ?? null,
    })),
  )
}

// What is not measured yet is usually seconds old; where measuring stands still, that is reported
// elsewhere.
const waitingBytesMax = 16 * 1024 * 1024
const chunkBytes = 512 * 1024

async function inLog(
  reader: LogReader,
  wanted: Wanted,
  tail: WholeTail | null,
): Promise<readonly CopyOfEvent[]> {
  const copies: CopyOfEvent[] = []
  const { first, end } = await reader.bounds(wanted.partition)
  let [from, bytes] = [tail?.to ?? first, 0]
  while (from < end && bytes < waitingBytesMax) {
    const records = await reader.read(wanted.partition, from, chunkBytes)
    for (const record of records) {
      bytes += record.value.length
      from = record.offset + 1
      const of = found(ndjsonLines(record.value), wanted, (index) => ({
        place: { ...placeIn(wanted, record.offset, index), receivedAt: record.at },
        stored: { in: 'log', blockId: null },
        verdict: null,
      }))
      copies.push(...of)
    }
    if (records.length === 0) break
  }
  return copies
}

async function inBlocks(
  view: ArchiveView,
  wanted: Wanted & { readonly probes: readonly number[]; readonly upTo: number },
): Promise<readonly CopyOfEvent[]> {
  const copies: CopyOfEvent[] = []
  let behind: BlockCursor | null = null
  while (true) {
    const blocks: readonly FoundBlock[] = await view.holding(
      wanted.partition,
      wanted.probes,
      behind,
    )
    for (const block of blocks) copies.push(...(await inBlock(block, wanted)))
    const last = blocks.at(-1)
    if (last === undefined) return copies.filter(({ place }) => place.offset < wanted.upTo)
    behind = { at: last.logAt, blockId: last.blockId }
  }
}

async function inBlock(block: FoundBlock, wanted: Wanted): Promise<readonly CopyOfEvent[]> {
  const places = unpackPlaces(block.places).flatMap(({ offset, at, events }) =>
    Array.from({ length: events }, (_, index) => ({
      ...placeIn(wanted, offset, index),
      receivedAt: at,
    })),
  )
  return found(ndjsonLines(await block.ndjson()), wanted, (line) => {
    const place = places[line]
    if (place === undefined) throw new Error('There is no such event in the block.')
    const verdict = block.verdicts[line] ?? null
    return { place, stored: { in: 'archive', blockId: block.blockId }, verdict }
  })
}

const placeIn = ({ partition }: Wanted, offset: number, index: number) => ({
  partition,
  offset,
  index,
})

function found(
  lines: readonly string[],
  { owner, eventId }: Wanted,
  at: (line: number) => Omit<CopyOfEvent, 'event'>,
): readonly CopyOfEvent[] {
  return lines.flatMap((text, index) => {
    if (!mayHoldAll(text, [eventId])) return []
    const event = eventIn(text, owner)
    return event?.eventId === eventId ? [{ ...at(index), event }] : []
  })
}

/**
 * Null: the line belongs to another business or mode, or to a record that measuring will put into
 * quarantine.
 */
function eventIn(text: string, owner: Owner): UsageEvent | null {
  try {
    const line = parseLine(text)
    return belongsTo(owner, line) ? eventOf(line) : null
  } catch {
    return null
  }
}
