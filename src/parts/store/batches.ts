import type { Duration } from '../../std/instant.ts'
import type { Offset, Partition } from '../event-log/port.ts'

/** Neighbouring batches of one partition and one minute, which cover all of [start, end). */
export interface BatchRun {
  readonly partition: Partition
  readonly start: Offset
  readonly end: Offset
  readonly batches: number
}

/** Merges batches that only dedupe still needs, so that few rows remain. */
export interface BatchMerging {
  /**
   * Runs of two or more batches that are archived and lie more than `age` of running time before
   * their checkpoint; at most `max`, oldest first.
   */
  mergeable(partition: Partition, age: Duration, max: number): Promise<readonly BatchRun[]>

  /**
   * Makes one batch of a run, with all its ids and verdicts, but without what only archiving needs.
   * False, and nothing changes, unless all of the run's batches are there.
   */
  merge(run: BatchRun): Promise<boolean>
}
