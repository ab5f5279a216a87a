import { addIntervals } from '../../../std/calendar.ts'
import type { Instant } from '../../../std/instant.ts'
import type { CartItem } from '../../accounts/attached-credits.ts'
import { segmentAt } from '../../meter/route.ts'
import { chargedTo } from './owed.ts'
import type { SubscribedPlan, Subscription } from './subscription.ts'

/** Where the cycle after the open one ends, or would end. */
export const cycleAfter = ({ stretches, nextBillingDate }: Subscription): Instant =>
  segmentAt(stretches, nextBillingDate)?.cycle.end ?? nextBillingDate

/**
 * A subscription after the end of its open cycle: cancelled if that was scheduled, expired if its
 * period is over, on the plan that was scheduled for this moment, or in its next cycle.
 * [resources#subscriptions]
 */
export function renewed(subscription: Subscription, logNow: Instant): Subscription {
  const { nextBillingDate: start, expiresAt, scheduled, cancellation } = subscription
  const over = { ...next(subscription, start), ended: logNow, scheduled: null }
  if (cancellation.scheduled) return { ...over, status: 'cancelled', cancelledAt: start }
  if (expiresAt !== null && expiresAt <= start) return { ...over, status: 'expired' }
  const cycle = { previousBillingDate: start, nextBillingDate: cycleAfter(subscription) }
  const price = (scheduled?.plan ?? subscription).recurringPreTaxAmount
  const { owed } = chargedTo(subscription.owed, price)
  if (scheduled === null) return { ...next(subscription, start), ...cycle, owed }
  return {
    ...onPlan(next(subscription, start), scheduled.plan),
    ...cycle,
    owed,
    leaving: leftBehind(subscription.cart, scheduled.plan.cart),
    scheduled: null,
    expiresAt: addIntervals(start, scheduled.plan.period, 1),
  }
}

/** What every end of a cycle changes. */
const next = (subscription: Subscription, at: Instant): Subscription => ({
  ...subscription,
  leaving: [],
  version: subscription.version + 1,
  updatedAt: at,
})

/**
 * Cart items that a plan does not carry on: what they granted or rolled over ends with the cycle
 * that is then open. [credits#cycle-end, credits#rollover]
 */
export function leftBehind(
  items: readonly CartItem[],
  cart: readonly CartItem[],
): readonly CartItem[] {
  const kept = new Set(cart.map((item) => item.creditEntitlementId))
  const left = items.filter((item) => !kept.has(item.creditEntitlementId))
  return [...new Map(left.map((item) => [item.creditEntitlementId, item])).values()]
}

/** The subscription on another plan. (Its stretches must get the plan's links separately.) */
export function onPlan(subscription: Subscription, plan: SubscribedPlan): Subscription {
  const { links: _, ...terms } = plan
  return { ...subscription, ...terms }
}

/** What a cycle end does with one entitlement of a subscription. */
export interface CycleItem {
  readonly entitlementId: string
  /** The terms of the ending cycle; null: the entitlement only begins now. */
  readonly ending: CartItem | null
  /** The terms of the next cycle; null: there is none, or it does not carry the entitlement. */
  readonly next: CartItem | null
}

/**
 * Every entitlement that a cycle's end concerns. One that the subscription no longer carries ends
 * without rolling over, since no cycle of its own follows. [credits#cycle-end]
 */
export function itemsOf(before: Subscription, after: Subscription): readonly CycleItem[] {
  const leaving = before.leaving.map((item) => ({ ...item, rolloverEnabled: false }))
  const ending = [...before.cart, ...leaving]
  const coming = after.status === 'active' ? after.cart : []
  const ids = new Set([...ending, ...coming].map((item) => item.creditEntitlementId))
  const itemIn = (cart: readonly CartItem[], id: string): CartItem | null =>
    cart.find((item) => item.creditEntitlementId === id) ?? null
  return [...ids].map((entitlementId) => ({
    entitlementId,
    ending: itemIn(ending, entitlementId),
    next: itemIn(coming, entitlementId),
  }))
}
