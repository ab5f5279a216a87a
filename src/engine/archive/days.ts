import type { DayPartitions, DayTable } from '../../parts/store/partitions.ts'
import { dayTables } from '../../parts/store/partitions.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { after, day, instantOf } from '../../std/instant.ts'

export interface Retention {
  /** How long the measured batches are kept: at least `batchesRetention` of the dedupe window. */
  readonly batches: Duration
  /** How long events can be read. */
  readonly archive: Duration
}

/** Two days are made ahead, so that a day without maintenance is no harm. */
const daysAhead = 2

/** So many days of one table go in one run: a time that is wrong all the same costs no more. */
const droppedMax = 3

// A row of the default partition is as old as its day would be; so many go in one statement.
const sweptMax = 500

/**
 * Dedupe promises a window and keeps generations of half of one: a window and a half may be in use.
 * The half on top is for whoever heals from the oldest of it just now.
 */
export const batchesRetention = (dedupeWindow: Duration): Duration => 2 * dedupeWindow

/** A day that went, and how many rows went with it. */
export interface DroppedDay {
  readonly table: DayTable
  readonly day: Instant
  readonly rows: number
}

/**
 * Makes the days from today to the day after tomorrow and drops those that are past their
 * retention, the oldest first and a few a table. `at` is believed time. What cannot be done just
 * now is done by the next call; answers what was dropped. [guarantees#clocks]
 */
export async function keepDays(
  partitions: DayPartitions,
  retention: Retention,
  at: Instant,
): Promise<readonly DroppedDay[]> {
  const dropped: DroppedDay[] = []
  // The index before the blocks: a listed block that is gone is only skipped, but it costs a look.
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
    // A row of a whole day lives to the day's end: those without a day are given the same.
    await partitions.sweepDefault(table, dayOf(oldest), sweptMax)
  }
  return dropped
}

const dayOf = (at: Instant): Instant => instantOf(Math.floor(at / day) * day)
