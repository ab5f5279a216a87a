import type { Partition } from '../../parts/event-log/port.ts'
import type { EngineMetrics } from '../../runtime/metrics.ts'
import type { Duration } from '../../std/instant.ts'
import { second } from '../../std/instant.ts'
import type { BilledOf } from './billed-by-scope.ts'

/** What measuring reports about itself. */
export interface MeasuringMetrics {
  counted(totals: {
    readonly billed: number
    readonly unmatched: number
    readonly duplicates: number
    readonly quarantined: number
  }): void
  /** Whose those are that became usage. */
  billed(of: readonly BilledOf[]): void
  /** In seconds: from receipt to commit of the oldest event, and the duration of the whole step. */
  committed(freshnessSeconds: number, batchSeconds: number): void
  healing(on: boolean): void
  /** How far a partition's log time is ahead of ours, in microseconds. */
  skewed(partition: Partition, ahead: Duration): void
  /**
   * A batch is measured again because versions moved, which are loaded anew, or held in the store
   * until the batch is committed.
   */
  again(how: 'loaded' | 'held'): void
}

/** Counts these in the metrics of the process. */
export const countedBy = (metrics: EngineMetrics): MeasuringMetrics => ({
  counted: (totals) => {
    metrics.billingEvents.add(totals.billed, { result: 'billed' })
    metrics.billingEvents.add(totals.unmatched, { result: 'unmatched' })
    metrics.billingEvents.add(totals.duplicates, { result: 'duplicate' })
    metrics.billingEvents.add(totals.quarantined, { result: 'quarantined' })
  },
  billed: (of) => {
    for (const one of of) metrics.billedOf.add(one, one.events)
  },
  committed: (freshness, batch) => {
    metrics.billingFreshness.observe(freshness, {})
    metrics.billingDuration.observe(batch, {})
  },
  healing: (on) => metrics.dedupeHealing.set(on ? 1 : 0, {}),
  skewed: (partition, ahead) =>
    metrics.logClockSkew.set(ahead / second, { partition: String(partition) }),
  again: (how) => metrics.billingAgain.add(1, { how }),
})
