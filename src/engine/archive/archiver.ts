import { measuredRecords } from '../../operations/events/measured-records.ts'
import type { LogReader, Offset, Partition } from '../../parts/event-log/port.ts'
import type { ArchivePosition, ArchiveWriter } from '../../parts/store/archive.ts'
import type { Block, MeasuredRecord } from '../../rules/archive/block.ts'
import { blockDrafts, roomFrom } from '../../rules/archive/block.ts'
import { passing } from '../../runtime/moments.ts'
import type { Indexed } from './indexing.ts'
import { blockWith } from './indexing.ts'

export interface ArchiverNeeds {
  readonly archive: ArchiveWriter
  readonly reader: LogReader
  readonly indexed: Indexed
}

/**
 * What became of one step. `moved`: there may be more, but where the end was `left` for the next
 * round there is only that. `idle`: nothing to do; `lost`: another process archived it; `halted`:
 * log and store do not fit together, and a person must look.
 */
export type ArchiveStep =
  | { readonly kind: 'moved'; readonly events: number; readonly left: boolean }
  | { readonly kind: 'idle' | 'lost' }
  | { readonly kind: 'halted'; readonly reason: string }

// One step takes whole batches of measuring until they have so many events: a handful of blocks,
// which need a small multiple of their size in memory.
const eventsMax = 16_384
const bytesMax = 4 * 1024 * 1024

/**
 * Takes the next measured batches of one partition into the archive. Of several blocks it leaves
 * the last one to the next round, which fills it: a small one would be merged soon, and all of its
 * events read and written again.
 *
 * A crash at any moment costs nothing: everything before the last line only reads. The last line is
 * one statement, which stores and lists the blocks and moves the archive's checkpoint, if that
 * still stands where it stood.
 */
export async function archiveNext(
  { archive, reader, indexed }: ArchiverNeeds,
  position: ArchivePosition,
): Promise<ArchiveStep> {
  const { partition, measured: to } = position
  const from = position.archived ?? (await begun(partition))
  if (from >= to) return { kind: 'idle' }
  const stretch = await archive.measured(partition, { from, to, eventsMax })
  const read = await measuredRecords(reader, stretch, { partition, from, bytesMax })
  if (read.kind === 'misfit')
    return (await isAt(from)) ? { kind: 'halted', reason: read.reason } : { kind: 'lost' }
  const room = roomFrom(read.records)
  const end = room ?? read.end
  const blocks: Block[] = []
  for (const draft of blockDrafts(before(read.records, end), from, end)) {
    blocks.push(await blockWith(indexed, draft))
  }
  passing('archiving')
  const won = await archive.append({ partition, start: from, end, blocks })
  passing('archived')
  const events = blocks.reduce((sum, block) => sum + block.events, 0)
  const left = room !== null && read.end === to
  return won ? { kind: 'moved', events, left } : { kind: 'lost' }

  /**
   * Where another process has archived this stretch it may have trimmed it, too: then all is well.
   */
  async function isAt(offset: Offset): Promise<boolean> {
    const positions = await archive.positions()
    return positions.some((each) => each.partition === partition && each.archived === offset)
  }

  /** A partition's archive begins with the oldest record that the log still has. */
  async function begun(partition: Partition): Promise<Offset> {
    const { first } = await reader.bounds(partition)
    await archive.begin(partition, first)
    return first
  }
}

const before = (records: readonly MeasuredRecord[], end: Offset): readonly MeasuredRecord[] =>
  records.filter(({ offset }) => offset < end)

/**
 * The end (exclusive) of what may be trimmed from a partition's log: below the slower of measuring
 * and archive, but never the record right before the checkpoint, whose digest proves that the log
 * is still the same one. [machines#measuring, machines#backpressure]
 */
export function trimmableOf({ archived, measured }: ArchivePosition): Offset {
  return Math.max(0, Math.min(archived ?? 0, measured) - 1)
}
