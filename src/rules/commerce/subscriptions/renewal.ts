import { addIntervals } from '../../../std/calendar.ts'
import type { Instant } from '../../../std/instant.ts'
import type { CartItem } from '../../accounts/attached-credits.ts'
import { segmentAt } from '../../meter/route.ts'
import { continued, followedBy, keepingTerms } from '../../meter/stretches.ts'
import { staysWithPlan } from '../discounts/discount.ts'
import type { SubscribedPlan, Subscription } from './subscription.ts'
import { isOver } from './subscription.ts'

/** Where the cycle after the open one ends, or would end. */
export const cycleAfter = ({
  stretches,
  nextBillingDate,
}: Pick<Subscription, 'nextBillingDate' | 'stretches'>): Instant =>
  segmentAt(stretches, nextBillingDate)?.cycle.end ?? nextBillingDate

/**
 * A subscription after the end of its open cycle: cancelled if that was scheduled, expired if its
 * period is over, on the plan that was scheduled for this moment, or in its next cycle. While a
 * renewal is to be paid, cycles go on without another one: it is, or comes to be, on hold. A plan
 * that is scheduled is charged by the renewal that it begins with, and waits on for that.
 * [resources#subscriptions, subscriptions#renewals]
 */
export function renewed(subscription: Subscription, logNow: Instant): Subscription {
  const { nextBillingDate: start, expiresAt, scheduled, cancellation } = subscription
  const over = { ...next(subscription, start), ended: logNow, scheduled: null }
  if (cancellation.scheduled) return { ...over, status: 'cancelled', cancelledAt: start }
  if (expiresAt !== null && expiresAt <= start) return { ...over, status: 'expired' }
  const cycle = { previousBillingDate: start, nextBillingDate: cycleAfter(subscription) }
  if (isHeld(subscription)) {
    // Should it be paid now, it brings the credits of a cycle, not those of a change before it.
    const dues = subscription.dues && { ...subscription.dues, change: null }
    return { ...next(subscription, start), ...heldCycle(subscription), dues, status: 'on_hold' }
  }
  if (scheduled === null) return { ...next(subscription, start), ...cycle }
  return {
    ...onPlan(next(subscription, start), scheduled.plan, scheduled.discounts),
    ...cycle,
    leaving: leftBehind(subscription.cart, scheduled.plan.cart),
    scheduled: null,
    expiresAt: addIntervals(start, scheduled.plan.period, 1),
  }
}

/** The next cycle on the plan as it is, and what is scheduled behind it. */
function heldCycle(
  subscription: Subscription,
): Pick<Subscription, 'nextBillingDate' | 'previousBillingDate' | 'stretches'> {
  const { frequency, previousBillingDate, nextBillingDate: start, scheduled } = subscription
  const { stretches } = subscription
  if (scheduled === null) {
    return { previousBillingDate: start, nextBillingDate: cycleAfter(subscription), stretches }
  }
  const going = continued(stretches, { start: previousBillingDate, end: start }, frequency)
  const end = cycleAfter({ stretches: going, nextBillingDate: start })
  const ahead = followedBy(going, { start, end }, scheduled.plan)
  return {
    previousBillingDate: start,
    nextBillingDate: end,
    stretches: keepingTerms(stretches, ahead, start),
  }
}

/** Whether an earlier renewal is still to be paid. */
export const isHeld = ({ status, dues }: Pick<Subscription, 'status' | 'dues'>): boolean =>
  status === 'on_hold' || dues !== null

/**
 * What every end of a cycle changes. A change that was priced for the cycle that ends, and is not
 * paid yet, is given up. [subscriptions#paying-for-a-change]
 */
const next = (subscription: Subscription, at: Instant): Subscription => ({
  ...withoutChanging(subscription),
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

/** The subscription without a plan change that waits for its payment. */
export const withoutChanging = (subscription: Subscription): Subscription => ({
  ...subscription,
  owed: subscription.owed + (subscription.changing?.used ?? 0),
  changing: null,
})

/**
 * The subscription on another plan, with these discounts; null: with those that are to stay through
 * such a change. (Its stretches must get the plan's links separately.)
 */
export function onPlan(
  subscription: Subscription,
  plan: SubscribedPlan,
  discounts: Subscription['discounts'] | null,
): Subscription {
  const { links: _, ...terms } = plan
  return {
    ...subscription,
    ...terms,
    discounts:
      discounts ??
      subscription.discounts.filter(({ discount }) => staysWithPlan(discount, plan.productId)),
  }
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
  const coming = isOver(after) ? [] : after.cart
  const ids = new Set([...ending, ...coming].map((item) => item.creditEntitlementId))
  const itemIn = (cart: readonly CartItem[], id: string): CartItem | null =>
    cart.find((item) => item.creditEntitlementId === id) ?? null
  return [...ids].map((entitlementId) => ({
    entitlementId,
    ending: itemIn(ending, entitlementId),
    next: itemIn(coming, entitlementId),
  }))
}
