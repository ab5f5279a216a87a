import { Fault } from '../../faults.ts'
import type { BoundaryNeeds } from '../../operations/boundaries/apply-boundary.ts'
import { applyBoundary } from '../../operations/boundaries/apply-boundary.ts'
import type { Boundaries, Boundary } from '../../parts/store/boundaries.ts'
import type { Measuring } from '../../parts/store/measuring.ts'
import type { BelievedClock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Loop } from '../../runtime/loop.ts'
import { loop } from '../../runtime/loop.ts'
import { scopeName } from '../../runtime/scope-counts.ts'
import type { Instant } from '../../std/instant.ts'
import { after, day, earlierOf } from '../../std/instant.ts'
import type { Alone } from '../alone-by-lease.ts'
import { boundariesPerLook, dueOfAll, scopeOf } from './due-of-all.ts'
import { leftOutAlarm } from './left-out-partitions.ts'

export interface BoundarySweepNeeds extends BoundaryNeeds {
  readonly clock: BelievedClock
  readonly boundaries: Boundaries
  readonly measuring: Pick<Measuring, 'watermark' | 'checkpoints'>
  readonly alone: Alone
  readonly logger: Logger
  /** Called when boundaries were applied, since there may be something to settle and to tell. */
  readonly onApplied: () => void
}

/**
 * Applies cycle ends and expiries when they are due by believed time and everything received before
 * them is measured, so that a lag of an hour changes no invoice and no rollover.
 * [machines#boundaries, guarantees#clocks]
 *
 * After a longer lag what is due is a chain: one cycle's end brings the next one's, which may come
 * before an expiry that was due all along. Cycles, timeframes and expiry periods are whole days, so
 * a round that advances each business by less than a day misses none of them. Where a subscription
 * ends in the middle of a cycle, what it granted may end sooner: then the round is over for its
 * business.
 *
 * Where an event was voided before it and usage is still to be folded without it, a boundary waits
 * for that, too, for two minutes at most. [events#voids]
 */
export function openBoundarySweep(needs: BoundarySweepNeeds): Loop {
  const { alone, logger } = needs
  const alarm = leftOutAlarm(needs)
  return loop({ name: 'boundaries', logger, idleMs: 1_000, work: alone('boundaries', work) })

  async function work(): Promise<boolean> {
    await alarm()
    const watermark = await needs.measuring.watermark()
    if (watermark === null) return false
    // Log time comes from a clock as well, which may be ahead.
    const upTo = earlierOf(watermark, needs.clock.believed())
    const due = await dueOfAll(needs.boundaries, upTo)
    let applied = 0
    const began = new Map<string, Instant>()
    const cut = new Set<string>()
    let left = false
    for (const boundary of due) {
      // So does all that is due later of its customer: looked at again in a second.
      if (boundary.waits) continue
      const business = scopeName(scopeOf(boundary))
      const first = began.get(business)
      if (cut.has(business) || (first !== undefined && boundary.at >= after(first, day))) {
        left = true
        continue
      }
      if (!(await apply(boundary))) continue
      applied += 1
      began.set(business, first ?? boundary.at)
      if (boundary.kind === 'subscription_end') cut.add(business)
    }
    if (applied > 0) needs.onApplied()
    return left || applied >= boundariesPerLook
  }

  /**
   * A boundary that cannot be applied is logged and blocks no other; every round tries it again.
   */
  async function apply(boundary: Boundary): Promise<boolean> {
    try {
      await applyBoundary(needs, boundary)
      return true
    } catch (error) {
      if (error instanceof Fault && error.retriable) throw error
      needs.logger.error({ error, boundary }, 'a boundary cannot be applied')
      return false
    }
  }
}
