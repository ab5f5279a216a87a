import type { LogReader, Offset, Partition } from '../../parts/event-log/port.ts'
import type { ArchivePosition, ArchiveWriter } from '../../parts/store/archive.ts'
import type { LogHold } from '../../parts/store/backup.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import { trimmableOf } from './archiver.ts'

/** How the log is trimmed where it is ours to trim: the embedded one. */
export interface Trimming {
  /**
   * How long records stay after nobody needs them any more: so old a copy of the database can be
   * put in the place of the present one, and is caught up from the log.
   */
  readonly keep: Duration
  /** The share of the log, 0 to 1, for which there is no room all the same. */
  excess(): Promise<number>
}

/** What went of a partition's log. */
export interface Trimmed {
  readonly from: Offset
  readonly upTo: Offset
}

/** Once a partition: it may be a lot. */
export type TellTrimmed = (partition: Partition, trimmed: Trimmed) => void

export interface TrimPorts {
  readonly archive: Pick<ArchiveWriter, 'positions'>
  readonly reader: LogReader
  readonly hold: LogHold
}

/**
 * Trims every partition's log beneath the slower of measuring and archive, as far as it is older
 * than `keep` by believed time, or too much.
 *
 * Not during a backup. It is asked for after the positions were read: what is trimmed in spite of
 * one that begins just then had been measured before it began, and so in its copy of the store.
 */
export async function trimLog(
  ports: TrimPorts,
  trimming: Trimming & { readonly trimmed: TellTrimmed },
  at: Instant,
): Promise<void> {
  const positions = await ports.archive.positions()
  if (await ports.hold.held()) return
  const excess = Math.min(1, Math.max(0, await trimming.excess()))
  const oldest = after(at, -trimming.keep)
  for (const position of positions) {
    const { partition } = position
    const { first, end } = await ports.reader.bounds(partition)
    const allowed = trimmableOf(position)
    if (allowed <= first) continue
    const aged = await firstSince(ports.reader, position, { from: first, to: allowed, oldest })
    const crowded = first + Math.ceil((end - first) * excess)
    const upTo = Math.min(allowed, Math.max(aged, crowded))
    if (upTo <= first) continue
    await ports.reader.trim(partition, upTo)
    trimming.trimmed(partition, { from: first, upTo })
  }
}

interface Search {
  readonly from: Offset
  readonly to: Offset
  readonly oldest: Instant
}

/**
 * The first offset of [from, to) whose record came at `oldest` or later; `to` where all are older.
 * By halves: where log time steps back a little, a little more or less is kept.
 */
async function firstSince(
  reader: LogReader,
  { partition }: ArchivePosition,
  { from, oldest, to }: Search,
): Promise<Offset> {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [record] = await reader.read(partition, middle, 1)
    if (record === undefined || record.at >= oldest) high = middle
    else low = middle + 1
  }
  return low
}
