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
}
