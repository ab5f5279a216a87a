import type { MeasuringNeeds } from '../../engine/measuring/measuring.ts'
import { openMeasuring } from '../../engine/measuring/measuring.ts'
import { countedBy } from '../../engine/measuring/metrics.ts'
import type { Partitions } from '../../engine/measuring/partitions.ts'
import { reportTotals } from '../../engine/measuring/totals.ts'
import type { SettlingNeeds } from '../../engine/settling.ts'
import { openSettling } from '../../engine/settling.ts'
import type { Dedupe } from '../../parts/dedupe/port.ts'
import type { Share } from '../../parts/store/accounts.ts'
import { down, fine } from '../../runtime/checks.ts'
import type { Loop } from '../../runtime/loop.ts'
import { millisecond } from '../../std/instant.ts'
import type { EngineLog, EngineNeeds } from './ground.ts'

export interface BillingNeeds
  extends Pick<SettlingNeeds, 'accounts' | 'changes'>,
    Pick<MeasuringNeeds, 'meters' | 'fingerprintKey' | 'window'> {
  readonly measuring: MeasuringNeeds['store']
  readonly log: EngineLog
  /** Resolves when the dedupe's server is there; telling and settling start before that. */
  readonly openDedupe: () => Promise<Dedupe>
  readonly openWorkers: () => MeasureWorkers
  /** Called when more is measured, for which readers may wait. */
  readonly onMeasured: () => void
}

/** The threads that measure events. */
export type MeasureWorkers = Pick<MeasuringNeeds, 'measure' | 'measureAgain'>

/**
 * Event log → usage → ledger. Settling divides the accounts between processes as measuring divides
 * the partitions. Calls `nudge` when there may be something to tell.
 */
export async function openBilling(
  ground: EngineNeeds,
  needs: BillingNeeds,
  nudge: () => void,
): Promise<void> {
  let held: (() => Share) | null = null
  const settling = openSettle(ground, needs, { nudge, share: () => held?.() ?? null })
  const measured = await openMeasure(ground, needs, settling)
  const { partitions: of } = needs.log.reader
  held = () => ({ slots: measured.held().map(({ partition }) => partition), of })
}

function openSettle(
  { clock, newId, logger, metrics, life }: EngineNeeds,
  { accounts, changes }: BillingNeeds,
  { nudge, share }: { readonly nudge: () => void; readonly share: () => Share | null },
): Loop {
  const settling = openSettling({
    accounts,
    changes,
    share,
    newId,
    clock,
    logger,
    metrics: {
      entries: (type, count) => metrics.creditEntries.add(count, { transaction_type: type }),
      settled: () => undefined,
      retried: (count) => metrics.changeRetries.add(count, { operation: 'settle' }),
    },
    onSettled: nudge,
  })
  life.own('settling', () => settling.stop())
  settling.start()
  return settling
}

async function openMeasure(
  { clock, logger, metrics, checks, life }: EngineNeeds,
  needs: BillingNeeds,
  settling: Loop,
): Promise<Partitions> {
  const { log, measuring: store, meters, fingerprintKey, window } = needs
  const { reader, openGroup, skew } = log
  const dedupe = await needs.openDedupe()
  const loop = openMeasuring({
    openGroup,
    reader,
    dedupe,
    store,
    meters,
    ...needs.openWorkers(),
    fingerprintKey,
    window,
    monotonic: () => performance.now() * millisecond,
    skew,
    clock,
    logger,
    metrics: countedBy(metrics),
    onCommit: () => {
      needs.onMeasured()
      settling.nudge()
    },
  })
  life.own('measuring', () => loop.stop())
  reportTotals({ store, reader, dedupe, metrics, partitions: loop.partitions })
  checks.register('measuring', async () => {
    const halted = (await store.checkpoints()).filter((each) => each.halted !== null)
    const [first] = halted
    return first === undefined
      ? fine
      : down(`Partition ${first.partition} is halted: ${first.halted}.`)
  })
  checks.register('log clock', loop.check)
  await loop.start()
  return loop.partitions
}
