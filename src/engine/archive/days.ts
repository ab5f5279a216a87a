import type { DayPartitions, DayTable } from '../../parts/store/partitions.ts'
import { dayTables } from '../../parts/store/partitions.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { after, day, instantOf } from '../../std/instant.ts'

export interface Retention {
  /** How long measured batches are kept: at least `batchesRetention` of the dedupe window. */
  readonly batches: Duration
  /** How long events can be read. */
  readonly archive: Duration
}

/** How many days are made ahead, so that a day without maintenance does no harm. */
const daysAhead = 2

/**
 * How many days of a table one run drops: should the time be wrong all the same, the damage is
 * bounded.
 */
const droppedMax = 3

// How many rows of the default partition one statement deletes. They are kept as long as rows of a
// day.
const sweptMax = 500

/**
 * Dedupe keeps generations of half a window, so up to one and a half windows are in use. The other
 * half is for a process that is healing from the oldest batches right now.
 */
export const batchesRetention = (dedupeWindow: Duration): Duration => 2 * dedupeWindow

/** A day that was dropped, and how many rows went with it. */
export interface DroppedDay {
  readonly table: DayTable
  readonly day: Instant
  readonly rows: number
}

/**
 * Makes the days from today to the day after tomorrow, and drops those that are past their
 * retention, oldest first and a few per table. `at` is believed time. What cannot be done now is
 * left to the next call. Answers what was dropped. [guarantees#clocks]
 */
export async function keepDays(
  partitions: DayPartitions,
  retention: Retention,
  at: Instant,
): Promise<readonly DroppedDay[]> {
  const dropped: DroppedDay[] = []
  // The index before the blocks: a listed block that is gone is only skipped, but that costs a
  // look.
  for (const table of dayTables.toReversed()) {
    const days = new Set(await partitions.days(table))
    for (let ahead = 0; ahead <= daysAhead; ahead += 1) {
      const wanted = after(dayOf(at), ahead * day)
      if (!days.has(wanted)) await partitions.make(table, wanted)
    }
    const kept = table === 'batches' ? retention.batches : retention.archive
    const oldest = after(at, -kept)
    const past = [...days].filter((old) => after(old, day) <= oldest)
    for (const old of past.slice(0, droppedMax)) {
      const rows = await partitions.rows(table, old)
      if (await partitions.drop(table, old, oldest)) dropped.push({ table, day: old, rows })
    }
    // A row lives to the end of its day; rows that are in no day's partition live as long.
    await partitions.sweepDefault(table, dayOf(oldest), sweptMax)
  }
  return dropped
}

const dayOf = (at: Instant): Instant => instantOf(Math.floor(at / day) * day)
