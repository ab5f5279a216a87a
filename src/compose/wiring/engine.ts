import { watchRetention } from '../../engine/log-retention.ts'
import type { MeasuredLog } from '../../parts/store/archive.ts'
import type { Duration } from '../../std/instant.ts'
import type { ArchiveNeeds } from './archive.ts'
import { openArchive } from './archive.ts'
import type { BillingNeeds } from './billing.ts'
import { openBilling } from './billing.ts'
import type { EngineLog, EngineNeeds } from './ground.ts'
import type { SweepNeeds } from './sweeps.ts'
import { openSweeps, openVoids } from './sweeps.ts'
import type { TellingNeeds } from './telling.ts'
import { openTelling } from './telling.ts'

/** What each role of an engine needs; null: the process does not have the role. */
export interface EngineWork {
  readonly telling: TellingNeeds | null
  readonly billing: BillingNeeds | null
  readonly sweeps: SweepNeeds | null
  readonly archive: ArchiveNeeds | null
  readonly retention: RetentionWatchNeeds | null
}

/** What runs by itself. */
export interface RunningEngine {
  /** Somebody else has committed facts: tells them now instead of at the next look. */
  nudge(): void
}

/** What the watch over a log that deletes by age needs. */
export interface RetentionWatchNeeds {
  readonly archive: Pick<MeasuredLog, 'positions'>
  readonly log: Pick<EngineLog, 'reader'>
  /** How long the log keeps a record, whether or not it was read. */
  readonly kept: Duration
}

/**
 * Composes what runs by itself: telling, settling, measuring and archiving. A part starts after
 * those that it notifies, and they stop in reverse order, so that what was measured last is still
 * settled and told.
 *
 * It names no driver: the server hands in those that its settings ask for, the simulation hands in
 * its own.
 */
export async function composeEngine(
  ground: EngineNeeds,
  needs: EngineWork,
): Promise<RunningEngine> {
  const { telling, billing, sweeps, archive, retention } = needs
  const delivery = telling === null ? null : openTelling(ground, telling)
  const nudge = (): void => delivery?.nudge()
  if (sweeps !== null) openVoids(ground, sweeps)
  if (billing !== null) await openBilling(ground, billing, nudge)
  if (sweeps !== null) openSweeps(ground, sweeps, nudge)
  if (archive !== null) openArchive(ground, archive)
  if (retention !== null) openRetention(ground, retention)
  return { nudge }
}

/** Watches Kafka's retention. (The embedded log deletes nothing that is still needed.) */
function openRetention(
  { clock, logger, metrics, checks, life }: EngineNeeds,
  { archive, log, kept }: RetentionWatchNeeds,
): void {
  const watch = watchRetention({
    archive,
    reader: log.reader,
    retention: kept,
    clock,
    logger,
    overdue: (step, partitions) => metrics.overduePartitions.set(partitions, { step }),
  })
  checks.register('retention', watch.check)
  life.own('retention', () => watch.stop())
  watch.start()
}
