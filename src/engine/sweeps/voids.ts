import { Fault } from '../../faults.ts'
import type { FoldAgainNeeds } from '../../operations/events/fold-again.ts'
import { foldAgain } from '../../operations/events/fold-again.ts'
import type { DueFold } from '../../parts/store/voids.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Loop } from '../../runtime/loop.ts'
import { loop } from '../../runtime/loop.ts'

export interface VoidSweepNeeds extends FoldAgainNeeds {
  readonly logger: Logger
}

const foldsMax = 20

/**
 * With pauses of up to a minute between tries, these take longer than any hour of log time takes to
 * end.
 */
const triesAlarming = 120

/**
 * Finishes pending voids: folds max and last again, one hour of log time at a time, as soon as the
 * archive has all of that hour. Any number of processes may run it; each row is claimed by one at a
 * time.
 */
export function openVoidSweep(needs: VoidSweepNeeds): Loop {
  return loop({ name: 'voids', logger: needs.logger, idleMs: 1_000, work })

  async function work(): Promise<boolean> {
    const rows = await needs.voids.due(foldsMax)
    for (const row of rows) await fold(row)
    return rows.length === foldsMax
  }

  /** A row that cannot be folded is logged, comes back later, and blocks no other. */
  async function fold(row: DueFold): Promise<void> {
    try {
      const outcome = await foldAgain(needs, row)
      if (outcome === 'waiting' && row.tries === triesAlarming) alarm(row)
    } catch (error) {
      if (error instanceof Fault) throw error
      const { meterId, logHour } = row
      needs.logger.error({ error, meterId, logHour }, 'a void could not be finished')
    }
  }

  function alarm({ meterId, logHour, tries }: DueFold): void {
    needs.logger.error(
      { meterId, logHour, tries },
      'a voided event still counts: the archive does not have all events of its hour',
    )
  }
}
