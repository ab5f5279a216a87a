import type { LogReader, Offset, Partition } from '../../parts/event-log/port.ts'
import type { ArchivePosition, ArchiveWriter } from '../../parts/store/archive.ts'
import type { LogHold } from '../../parts/store/backup.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import { trimmableOf } from './archiver.ts'

/** How the log is trimmed, where Sluice does that: the embedded one. */
export interface Trimming {
  /**
   * For how long records stay when nothing needs them any more: a copy of the database that is at
   * most so old can replace the present one, and catches up from the log.
   */
  readonly keep: Duration
  /** The share of the log, 0 to 1, for which there is no room even so. */
  excess(): Promise<number>
}

/** What was trimmed from a partition's log. */
export interface Trimmed {
  readonly from: Offset
  readonly upTo: Offset
}

/** Called for each partition, since it may be a lot. */
export type TellTrimmed = (partition: Partition, trimmed: Trimmed) => void

export interface TrimNeeds {
  readonly archive: Pick<ArchiveWriter, 'positions'>
  readonly reader: LogReader
  readonly hold: LogHold
}

/**
 * Trims every partition's log below the slower of measuring and archive, as far as it is older than
 * `keep` by believed time, or takes too much room.
 *
 * Does nothing during a backup. It looks for one only after it has read the positions: whatever is
 * trimmed while a backup begins was measured before that, and so is in the backup's copy of the
 * store.
 */
export async function trimLog(
  needs: TrimNeeds,
  trimming: Trimming & { readonly trimmed: TellTrimmed },
  at: Instant,
): Promise<void> {
  const positions = await needs.archive.positions()
  if (await needs.hold.held()) return
  const excess = Math.min(1, Math.max(0, await trimming.excess()))
  const oldest = after(at, -trimming.keep)
  for (const position of positions) {
    const { partition } = position
    const { first, end } = await needs.reader.bounds(partition)
    const allowed = trimmableOf(position)
    if (allowed <= first) continue
    const aged = await firstSince(needs.reader, position, { from: first, to: allowed, oldest })
    const crowded = first + Math.ceil((end - first) * excess)
    const upTo = Math.min(allowed, Math.max(aged, crowded))
    if (upTo <= first) continue
    await needs.reader.trim(partition, upTo)
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
 * A binary search: where log time steps back a little, it keeps a little more or less.
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
