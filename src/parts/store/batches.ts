import type { Duration } from '../../std/instant.ts'
import type { Offset, Partition } from '../event-log/port.ts'

/** Neighbouring batches of one partition and minute: all of [start, end). */
export interface BatchRun {
  readonly partition: Partition
  readonly start: Offset
  readonly end: Offset
  readonly batches: number
}

/** Batches that only dedupe still asks for become few. */
export interface BatchMerging {
  /**
   * Runs of two batches and more that are archived and lie more than `age` of running time before
   * their checkpoint; at most `max`, the oldest first.
   */
  mergeable(partition: Partition, age: Duration, max: number): Promise<readonly BatchRun[]>

  /**
   * Makes one batch of a run, with all ids and verdicts, and without what archiving alone needs.
   * False, and nothing changes, unless all of its batches are there.
   */
  merge(run: BatchRun): Promise<boolean>
}
