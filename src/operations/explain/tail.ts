import type { LogReader, Offset, Partition } from '../../parts/event-log/port.ts'
import type { ArchivePosition, ArchiveReader, MeasuredLog } from '../../parts/store/archive.ts'
import type { MeasuredRecord } from '../../rules/archive/block.ts'
import { measuredRecords } from '../events/measured-records.ts'

export interface MeasuredTailNeeds {
  readonly archive: MeasuredLog
  /** Null: the log cannot be read from here, so events are seen only after they are archived. */
  readonly reader: LogReader | null
}

export interface EventTailNeeds extends MeasuredTailNeeds {
  readonly archive: ArchiveReader
}

/** What was measured and not archived at some moment: offsets from `from` to `to`. */
export interface WholeTail {
  readonly partition: Partition
  readonly from: Offset
  readonly to: Offset
  readonly records: readonly MeasuredRecord[]
  /** False: some of it could not be read. */
  readonly complete: boolean
}

const stretchEventsMax = 20_000

// While a tail is read its beginning may be archived and trimmed; the next look then begins later.
const looksMax = 3

/**
 * The whole tail of a partition, however far the archive trails, because an explanation must not
 * leave out what a list may. Null: nothing of the partition was ever measured. Take it before
 * looking at the archive, and then only offsets below `from` there: so no event is missed or seen
 * twice.
 */
export async function wholeTail(
  { archive, reader }: MeasuredTailNeeds,
  partition: Partition,
): Promise<WholeTail | null> {
  for (let look = 1; ; look += 1) {
    const positions = await archive.positions()
    const position = positions.find((candidate) => candidate.partition === partition)
    if (position === undefined) return null
    const from = position.archived ?? (await reader?.bounds(partition))?.first ?? 0
    const found = await read({ archive, reader }, position, from)
    const tail = { partition, from, to: position.measured }
    if (found !== null) return { ...tail, records: found, complete: true }
    if (look === looksMax || reader === null) return { ...tail, records: [], complete: false }
  }
}

/** Null: the log cannot be read here, or does not fit the store at the moment. */
async function read(
  { archive, reader }: MeasuredTailNeeds,
  { partition, measured }: ArchivePosition,
  first: Offset,
): Promise<readonly MeasuredRecord[] | null> {
  const records: MeasuredRecord[] = []
  let from = first
  while (from < measured) {
    if (reader === null) return null
    const range = { from, to: measured, eventsMax: stretchEventsMax }
    const stretch = await archive.measured(partition, range)
    const bytesMax = Number.POSITIVE_INFINITY
    const some = await measuredRecords(reader, stretch, { partition, from, bytesMax })
    if (some.kind === 'misfit') return null
    records.push(...some.records)
    from = stretch.end
  }
  return records
}
