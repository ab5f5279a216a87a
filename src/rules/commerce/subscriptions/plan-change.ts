import type { Cycle } from '../../../std/calendar.ts'
import { addIntervals } from '../../../std/calendar.ts'
import type { Instant } from '../../../std/instant.ts'
import { continued, followedBy, keepingTerms, restarted, retermed } from '../../meter/stretches.ts'
import type { ProrationMode } from '../proration-mode.ts'
import { leftBehind, onPlan } from './renewal.ts'
import type { ScheduledChange, SubscribedPlan, Subscription } from './subscription.ts'

/** How much of the open cycle is left, as an exact fraction of its length. */
export interface Rest {
  readonly left: bigint
  readonly of: bigint
}

export const openCycle = ({ previousBillingDate, nextBillingDate }: Subscription): Cycle => ({
  start: previousBillingDate,
  end: nextBillingDate,
})

/** What is left of a cycle at `at`: nothing where its end is due and only waits to be applied. */
export function restOf({ start, end }: Cycle, at: Instant): Rest {
  const length = Math.max(1, end - start)
  const left = Math.min(length, Math.max(0, end - at))
  return { left: BigInt(left), of: BigInt(length) }
}

/**
 * What a change charges at once, in the currency's smallest unit, rounded half up; below 0 it is
 * what the customer is owed. Example: after half of 30 days, from a price of 30 to 80: prorated 25,
 * difference 50, full 80. [resources#plan-change-previews]
 */
export function chargeOf(
  mode: ProrationMode,
  { from, to }: { readonly from: number; readonly to: number },
  rest: Rest,
): number {
  switch (mode) {
    case 'prorated_immediately':
      return shareOf(to - from, rest)
    case 'difference_immediately':
      return to - from
    case 'full_immediately':
      return to
    case 'do_not_bill':
      return 0
  }
}

/** What an amount for a whole cycle is for the rest of it, rounded half up. */
export const shareOf = (amount: number, { left, of }: Rest): number =>
  roundedHalfUp(BigInt(amount) * left, of)

/** At exactly a half, rounds towards positive infinity. */
function roundedHalfUp(numerator: bigint, denominator: bigint): number {
  const doubled = 2n * numerator + denominator
  const cut = doubled / (2n * denominator)
  return Number(doubled < 0n && doubled % (2n * denominator) !== 0n ? cut - 1n : cut)
}

/**
 * Every mode that bills begins a new cycle with the change; the one that does not keeps the dates.
 * [resources#subscriptions]
 */
export const restartsCycle = (mode: ProrationMode): boolean => mode !== 'do_not_bill'

/**
 * The subscription on another plan from `at` on. Where the cycle goes on, what the old plan granted
 * lives on to its own expiry or to the cycle's end, also for entitlements that the new plan does
 * not carry. Where a new cycle begins, the old one ends, and what that rolled over ends with the
 * new one. [credits#grants, credits#cycle-end, credits#rollover, subscriptions#plan-changes]
 */
export function changedPlan(
  subscription: Subscription,
  plan: SubscribedPlan,
  {
    mode,
    at,
    discounts = null,
  }: {
    readonly mode: ProrationMode
    readonly at: Instant
    /** Absent: those that stay through such a change. */
    readonly discounts?: Subscription['discounts'] | null
  },
): Subscription {
  const { stretches, cart, leaving } = subscription
  const open = openCycle(subscription)
  const changed: Subscription = {
    ...onPlan(subscription, plan, discounts),
    leaving: leftBehind(restartsCycle(mode) ? cart : [...cart, ...leaving], plan.cart),
    scheduled: null,
    changing: null,
    version: subscription.version + 1,
    updatedAt: at,
  }
  if (!restartsCycle(mode)) {
    const going = retermed(stretches, open, { at, terms: plan })
    return { ...changed, stretches: keepingTerms(stretches, going, at) }
  }
  return {
    ...changed,
    stretches: keepingTerms(stretches, restarted(stretches, at, plan), at),
    previousBillingDate: at,
    nextBillingDate: addIntervals(at, plan.frequency, 1),
    expiresAt: addIntervals(at, plan.period, 1),
  }
}

/**
 * The change waits for the end of the open cycle; usage of the next cycle already has its terms.
 */
export const scheduledPlan = (
  subscription: Subscription,
  scheduled: ScheduledChange,
  at: Instant,
): Subscription => {
  const { stretches, version } = subscription
  const ahead = followedBy(stretches, openCycle(subscription), scheduled.plan)
  return {
    ...subscription,
    stretches: keepingTerms(stretches, ahead, at),
    scheduled,
    version: version + 1,
    updatedAt: at,
  }
}

/** Takes a scheduled change back. */
export const unscheduledPlan = (subscription: Subscription, at: Instant): Subscription => {
  const { frequency, stretches, version } = subscription
  const going = continued(stretches, openCycle(subscription), frequency)
  return {
    ...subscription,
    stretches: keepingTerms(stretches, going, at),
    scheduled: null,
    version: version + 1,
    updatedAt: at,
  }
}
