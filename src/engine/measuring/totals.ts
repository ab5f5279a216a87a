import type { Dedupe } from '../../parts/dedupe/port.ts'
import type { LogReader } from '../../parts/event-log/port.ts'
import type { Checkpoint, Measuring } from '../../parts/store/measuring.ts'
import type { EngineMetrics } from '../../runtime/metrics.ts'
import type { Partitions } from './partitions.ts'

export interface TotalsNeeds {
  readonly store: Pick<Measuring, 'checkpoints'>
  readonly reader: LogReader
  readonly dedupe: Dedupe
  readonly partitions: Partitions
  readonly metrics: EngineMetrics
}

/** How much of a lag is read to find out how many events its records hold. */
const lagBytesMax = 256 * 1024

/**
 * Metrics that are read from the books when somebody asks, so that no restart resets them; for the
 * partitions that this process was given, halted ones too: what waits in one of them is a lag like
 * any other. [operations#unaccounted-events]
 */
export function reportTotals({ store, reader, dedupe, partitions, metrics }: TotalsNeeds): void {
  metrics.dedupeIds.sampled(() => dedupe.size())
  metrics.haltedPartitions.sampled(async () => {
    const halted = (await store.checkpoints()).filter((each) => each.halted !== null)
    const leftOut = halted.filter((each) => each.leftOut).length
    return [
      [{ boundaries: 'wait' }, halted.length - leftOut],
      [{ boundaries: 'go_on' }, leftOut],
    ]
  })
  metrics.logLag.sampled(async () => Promise.all((await given()).map(lag)))
  metrics.unaccountedEvents.sampled(async () =>
    (await given()).reduce((sum, { totals }) => {
      const { events, billed, unmatched, duplicates, quarantined } = totals
      return sum + events - billed - unmatched - duplicates - quarantined
    }, 0),
  )

  async function given(): Promise<readonly Checkpoint[]> {
    const ours = new Set(partitions.given())
    return (await store.checkpoints()).filter(({ partition }) => ours.has(partition))
  }

  async function lag({ partition, nextOffset }: Checkpoint) {
    const { end } = await reader.bounds(partition)
    const records = end > nextOffset ? await reader.read(partition, nextOffset, lagBytesMax) : []
    const events = records.reduce((sum, record) => sum + record.events, 0)
    // Exact where the whole lag was read; else it is assumed that the rest is like its beginning.
    const rest = Math.max(0, end - nextOffset - records.length)
    return [{ partition }, Math.round(events + (rest * events) / (records.length || 1))] as const
  }
}
