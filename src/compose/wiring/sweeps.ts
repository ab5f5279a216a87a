import type { BoundarySweepNeeds } from '../../engine/sweeps/boundaries.ts'
import { openBoundarySweep } from '../../engine/sweeps/boundaries.ts'
import { openForgottenPayments } from '../../engine/sweeps/forgotten-payments.ts'
import type { SealingSweepNeeds } from '../../engine/sweeps/sealing.ts'
import { openSealing } from '../../engine/sweeps/sealing.ts'
import type { VoidSweepNeeds } from '../../engine/sweeps/voids.ts'
import { openVoidSweep } from '../../engine/sweeps/voids.ts'
import type { EngineNeeds } from './ground.ts'

type Told = 'wrote' | 'retried' | 'onApplied'

export interface SweepNeeds
  extends Omit<BoundarySweepNeeds, 'clock' | 'newId' | 'logger' | Told>,
    Pick<SealingSweepNeeds, 'sealing'> {
  readonly voids: Omit<VoidSweepNeeds, 'logger'>
}

/** Calls `nudge` when there may be something to tell. */
export function openSweeps(
  { clock, newId, logger, metrics, life }: EngineNeeds,
  { voids: _, sealing, ...parts }: SweepNeeds,
  nudge: () => void,
): void {
  const sweep = openBoundarySweep({
    ...parts,
    clock,
    newId,
    logger,
    wrote: (entries) => {
      for (const { type } of entries) metrics.creditEntries.add(1, { transaction_type: type })
    },
    retried: (operation) => metrics.changeRetries.add(1, { operation }),
    onApplied: nudge,
  })
  life.own('boundaries', () => sweep.stop())
  sweep.start()
  const { alone, processorNews } = parts
  const forgotten = openForgottenPayments({ clock, processorNews, alone, logger })
  life.own('forgotten payments', () => forgotten.stop())
  forgotten.start()
  const seals = openSealing({ sealing, measuring: parts.measuring, clock, logger })
  life.own('sealing', () => seals.stop())
  seals.start()
}

/** What a fold leaves unsettled, settling finds by itself. */
export function openVoids({ logger, life }: EngineNeeds, { voids }: SweepNeeds): void {
  const sweep = openVoidSweep({ ...voids, logger })
  life.own('voids', () => sweep.stop())
  sweep.start()
}
