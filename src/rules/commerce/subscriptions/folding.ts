import { limits } from '../../../limits.ts'
import type { Instant } from '../../../std/instant.ts'
import { earlierOf } from '../../../std/instant.ts'
import type { Folded } from '../../meter/route.ts'
import { foldedCycles } from '../../meter/route.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionRejection } from './subscription-rejection.ts'

/** Up to when nothing can be measured any more: in the business's time, and in that of the log. */
export interface ClosedTo {
  readonly at: Instant
  readonly log: Instant
}

/** A subscription without what is over, and the stretches that it leaves out. */
export interface FoldedSubscription {
  readonly row: Subscription
  readonly over: Folded['over']
}

/**
 * Leaves out the pauses and the terms that nothing measured from now on can fall into. So what
 * every event of the customer is compared with, and what every change writes again, does not grow
 * with the subscription's life. [subscriptions#many-changes]
 */
export function foldedSubscription(
  subscription: Subscription,
  closedTo: ClosedTo,
): FoldedSubscription {
  // The open cycle of a paused one may be past its end, and is not over: resuming moves that end.
  const before = earlierOf(closedTo.at, subscription.previousBillingDate)
  const { stretches, over } = foldedCycles(subscription.stretches, before)
  const pauses = subscription.pauses.filter(({ to }) => to === null || to > closedTo.log)
  return { row: { ...subscription, pauses, stretches }, over }
}

/**
 * Refuses a change that makes more of them than measuring should have at hand. Takes folded ones.
 */
export function manyChangesRejection(
  before: Subscription,
  after: Subscription,
): SubscriptionRejection | null {
  if (isFull(before.pauses, after.pauses)) return refusal('was paused', 'the last hours')
  if (isFull(before.stretches, after.stretches)) return refusal('was changed', 'its billing cycle')
  return null
}

const max = limits.subscriptionChangesMax

const isFull = (before: readonly object[], after: readonly object[]): boolean =>
  after.length > max && after.length > before.length

const refusal = (what: string, within: string): SubscriptionRejection => ({
  code: 'CONFLICT',
  problem: `This subscription ${what} ${max} times within ${within}, and stays as it is for now: try again later.`,
})
