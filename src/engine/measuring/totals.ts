import type { Dedupe } from '../../parts/dedupe/port.ts'
import type { LogReader } from '../../parts/event-log/port.ts'
import type { Measuring } from '../../parts/store/measuring.ts'
import type { EngineMetrics } from '../../runtime/metrics.ts'
import type { Partitions } from './partitions.ts'

export interface TotalsNeeds {
  readonly store: Pick<Measuring, 'checkpoints'>
  readonly reader: LogReader
  readonly dedupe: Dedupe
  readonly partitions: Partitions
  readonly metrics: EngineMetrics
}

/** Lag is read in chunks of this; a longer one is told as at least what was read. */
const lagBytesMax = 8 * 1024 * 1024

/**
 * Metrics that are read from the books when somebody asks, so that no restart resets them, for the
 * partitions that this process holds. [interfaces, Metrics]
 */
export function reportTotals({ store, reader, dedupe, partitions, metrics }: TotalsNeeds): void {
  metrics.dedupeIds.sampled(() => dedupe.size())
  metrics.unaccountedEvents.sampled(async () => {
    const held = new Set(partitions.held().map(({ partition }) => partition))
    const checkpoints = (await store.checkpoints()).filter((each) => held.has(each.partition))
    await Promise.all(checkpoints.map(lag))
    return checkpoints.reduce((sum, { totals }) => {
      const { events, billed, unmatched, duplicates, quarantined } = totals
      return sum + events - billed - unmatched - duplicates - quarantined
    }, 0)
  })

  async function lag({ partition, nextOffset }: { partition: number; nextOffset: number }) {
    const records = await reader.read(partition, nextOffset, lagBytesMax)
    const events = records.reduce((sum, record) => sum + record.events, 0)
    metrics.logLag.set(events, { partition })
  }
}
