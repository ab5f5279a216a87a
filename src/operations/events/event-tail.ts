import type { LogReader } from '../../parts/event-log/port.ts'
import type { ArchivePosition, MeasuredLog, MeasuredTail } from '../../parts/store/archive.ts'
import type { MeasuredRecord } from '../../rules/archive/block.ts'
import type { Instant } from '../../std/instant.ts'
import { instantOf } from '../../std/instant.ts'
import { measuredRecords } from './measured-records.ts'

/** What reads need besides the archive. `reader` null: the log cannot be read from here. */
export interface TailNeeds {
  readonly measured: MeasuredLog
  readonly reader: LogReader | null
}

/** Measured events that are not in the archive yet. */
export interface Tail {
  readonly records: readonly MeasuredRecord[]
  /** Everything that came into the log up to this log time is in the tail or in the archive. */
  readonly completeTo: Instant
}

// The archive usually trails by about a second. When it trails by more, a read takes the older part
// of what is missing, and says so, instead of reading gigabytes.
const tailBytesMax = 4 * 1024 * 1024
const tailEventsMax = 20_000

// While a tail is read its beginning may be archived and trimmed; the next look then begins later.
// Where log and store do not fit together at all, the archive is halted as well, and reads answer
// what it has.
const looksMax = 3

/**
 * The tails of all partitions. Call it before looking at the archive: events only move from the
 * tail to the archive, so none can be missed, though some may be seen in both.
 */
export async function eventTail(needs: TailNeeds): Promise<Tail> {
  for (let look = 1; ; look += 1) {
    const measured = await needs.measured.tails(tailEventsMax)
    const tails = await Promise.all(measured.map((one) => tailOf(needs, one)))
    if (tails.includes(null) && look < looksMax) continue
    const found = tails.map((tail, index) => tail ?? archivedOnly(measured[index]))
    return {
      records: found.flatMap((tail) => tail.records),
      // When no partition has been measured, nothing is known to be complete.
      completeTo: instantOf(
        Math.min(
          ...found.map((tail) => tail.completeTo),
          found.length > 0 ? Number.POSITIVE_INFINITY : 0,
        ),
      ),
    }
  }
}

/** Null: log and store do not fit together. */
async function tailOf(
  { measured, reader }: TailNeeds,
  position: MeasuredTail,
): Promise<Tail | null> {
  const { partition, measured: to } = position
  if (position.archived === to) return { records: [], completeTo: position.measuredAt }
  if (reader === null) return archivedOnly(position)
  const from = position.archived ?? (await reader.bounds(partition)).first
  const stretch =
    position.stretch ?? (await measured.measured(partition, { from, to, eventsMax: tailEventsMax }))
  const read = await measuredRecords(reader, stretch, { partition, from, bytesMax: tailBytesMax })
  if (read.kind === 'misfit') return null
  const last = read.records.at(-1)
  const completeTo = read.end >= to ? position.measuredAt : (last?.at ?? position.archivedAt)
  return { records: read.records, completeTo }
}

const archivedOnly = (position: ArchivePosition | undefined): Tail => ({
  records: [],
  completeTo: position?.archivedAt ?? instantOf(0),
})
