import type { Partition } from '../../parts/event-log/port.ts'
import type { Duration } from '../../std/instant.ts'

/** What measuring tells about itself. */
export interface MeasuringMetrics {
  counted(totals: {
    readonly billed: number
    readonly unmatched: number
    readonly duplicates: number
    readonly quarantined: number
  }): void
  /** Seconds from receipt to commit of the oldest event, and of the whole step. */
  committed(freshnessSeconds: number, batchSeconds: number): void
  healing(on: boolean): void
  /** How far log time of a partition is ahead of ours, in microseconds. */
  skewed(partition: Partition, ahead: Duration): void
}
