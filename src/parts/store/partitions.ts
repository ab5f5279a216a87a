import type { Instant } from '../../std/instant.ts'

/** Tables that are partitioned into days by log time. */
export const dayTables = ['batches', 'archive_blocks', 'archive_index'] as const
export type DayTable = (typeof dayTables)[number]

/**
 * The days (UTC) of these tables, each of which is dropped as a whole. A day is named by its first
 * moment.
 */
export interface DayPartitions {
  /** Days that have a partition of their own, in ascending order. */
  days(table: DayTable): Promise<readonly Instant[]>

  /**
   * Makes a day's partition, and moves rows there that were written before it existed. False when
   * they are too many to move in a moment (then they stay in the default partition), or when
   * another transaction is in the way. Making it twice is no error.
   */
  make(table: DayTable, day: Instant): Promise<boolean>

  /** How many rows a day's partition holds; 0 where there is none. */
  rows(table: DayTable, day: Instant): Promise<number>

  /**
   * Drops a day with all its rows. False, and nothing is dropped, when another transaction is in
   * the way, when the archive or dedupe still needs batches of that day, or when some of it was
   * archived at `before` or later: then the log's clock may have been wrong.
   */
  drop(table: DayTable, day: Instant, before: Instant): Promise<boolean>

  /**
   * Deletes up to `rowsMax` rows with a log time before `before` that lie in no day's partition.
   */
  sweepDefault(table: DayTable, before: Instant, rowsMax: number): Promise<number>
}
