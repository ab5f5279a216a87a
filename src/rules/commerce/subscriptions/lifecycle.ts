import assert from 'node:assert/strict'
import type { Instant } from '../../../std/instant.ts'
import { after, laterOf } from '../../../std/instant.ts'
import { endingAt, keepingTerms } from '../../meter/stretches.ts'
import { withoutPausedBill } from './paused-bill.ts'
import { openCycle } from './plan-change.ts'
import { withoutChanging } from './renewal.ts'
import type { Subscription, SubscriptionStatus } from './subscription.ts'
import { isOver } from './subscription.ts'
import type { SubscriptionRejection } from './subscription-rejection.ts'

/** The moment of a change: in the business's time, and in the log's time. */
export interface Now {
  readonly at: Instant
  readonly log: Instant
}

const changed = (subscription: Subscription, at: Instant): Subscription => ({
  ...subscription,
  version: subscription.version + 1,
  updatedAt: at,
})

/**
 * The subscription paused: nothing that is received from now on counts, nothing renews, nothing is
 * granted, and its dates wait. [resources#subscriptions, credits#endings]
 */
export const paused = (subscription: Subscription, { at, log }: Now): Subscription => ({
  ...changed(subscription, at),
  status: 'paused',
  pausedAt: at,
  pauses: [...subscription.pauses, { from: log, to: null }],
})

/**
 * The subscription resumed: it goes on where it stopped, with its open cycle and its period longer
 * by the pause. [resources#subscriptions]
 */
export function resumed(subscription: Subscription, { at, log }: Now): Subscription {
  const { pauses, expiresAt, stretches } = subscription
  const end = endAfterPause(subscription, at)
  const shift = end - subscription.nextBillingDate
  return {
    ...changed(subscription, at),
    status: 'active',
    pausedAt: null,
    pauses: pauses.map(({ from, to }) => ({ from, to: to ?? laterOf(from, log) })),
    stretches: shift === 0 ? stretches : movedEnd(subscription, end, at),
    nextBillingDate: end,
    expiresAt: expiresAt === null ? null : after(expiresAt, shift),
  }
}

/** The stretches where the open cycle ends at another time. */
const movedEnd = (
  subscription: Subscription,
  end: Instant,
  at: Instant,
): Subscription['stretches'] => {
  const { stretches } = subscription
  return keepingTerms(stretches, endingAt(stretches, openCycle(subscription), end), at)
}

/** Where the open cycle of a paused subscription would end if it resumed at `at`. */
function endAfterPause(subscription: Subscription, at: Instant): Instant {
  const { pausedAt, nextBillingDate } = subscription
  assert(pausedAt !== null)
  return after(nextBillingDate, Math.max(0, at - pausedAt))
}

/**
 * The subscription cancelled at once: nothing that is received from now on counts, and nothing more
 * is granted. What was granted lives until the planned end of its cycle. [credits#endings]
 */
export const cancelled = (subscription: Subscription, now: Now): Subscription => ({
  ...over(subscription, now),
  status: 'cancelled',
  cancelledAt: now.at,
  cancellation: { ...subscription.cancellation, scheduled: false },
})

/**
 * The subscription expired in the middle of a cycle because its period is over; the rest is as with
 * a cancellation at once. [subscriptions#endings]
 */
export const expired = (subscription: Subscription, now: Now): Subscription => ({
  ...over(subscription, now),
  status: 'expired',
})

const over = (subscription: Subscription, { at, log }: Now): Subscription => ({
  ...withoutChanging(changed(subscription, at)),
  ended: log,
  pausedAt: null,
  scheduled: null,
  dues: unanswered(subscription),
})

/** Nobody tries again to be paid for what is over; news of what was asked may still come. */
export const unanswered = ({ dues }: Subscription): Subscription['dues'] =>
  dues?.isAsked === true ? dues : null

/**
 * A trial is the first cycle; a plan change that keeps the dates keeps the trial.
 * [subscriptions#trials]
 */
export const isInTrial = (subscription: Subscription): boolean =>
  subscription.trialPeriodDays > 0 && subscription.previousBillingDate === subscription.activatedAt

/**
 * The subscription with another end of its open cycle, from which later cycles are counted.
 * [resources#subscriptions]
 */
export const billedAt = (subscription: Subscription, end: Instant, at: Instant): Subscription => ({
  ...changed(subscription, at),
  stretches: movedEnd(subscription, end, at),
  nextBillingDate: end,
})

/**
 * Refuses while nobody has said what became of a renewal, or of a plan change.
 * [subscriptions#renewals, subscriptions#paying-for-a-change]
 */
export function askedRejection({
  changing,
  dues,
}: Pick<Subscription, 'changing' | 'dues'>): SubscriptionRejection | null {
  if (changing === null && dues === null) return null
  const what = changing === null ? 'last renewal' : 'plan change'
  const problem = `The payment of the ${what} is on its way; wait for what becomes of it.`
  return { code: 'PREVIOUS_PAYMENT_PENDING', problem }
}

/**
 * Refuses another payment method where nothing will be charged, or while nobody has said what
 * became of the last charge. [subscriptions#dunning]
 */
export function methodRejection(subscription: Subscription): SubscriptionRejection | null {
  const { dues, status } = subscription
  if (isOver(subscription)) {
    const problem = `This subscription is ${status} already.`
    return { code: 'SUBSCRIPTION_INACTIVE', problem }
  }
  return dues?.isAsked === true ? askedRejection(subscription) : null
}

/** What a business may ask a subscription to become. */
export type AskedStatus = Extract<SubscriptionStatus, 'active' | 'paused' | 'cancelled'>

/**
 * A status that the subscription has already changes nothing, so a caller may repeat a request
 * whose answer was lost. [resources#subscriptions]
 */
export function withStatus(
  subscription: Subscription,
  status: AskedStatus,
  now: Now,
): Subscription | SubscriptionRejection {
  const { status: from } = subscription
  if (status === from) return subscription
  if (status === 'cancelled' && (from === 'active' || from === 'on_hold' || from === 'paused')) {
    return cancelled(subscription, now)
  }
  if (status === 'paused' && from === 'active') {
    return askedRejection(subscription) ?? paused(subscription, now)
  }
  if (status === 'active' && from === 'paused') {
    return askedRejection(subscription) ?? resumed(subscription, now)
  }
  if (status === 'active') {
    const going = withoutPausedBill(subscription, now.at)
    if (going !== null) return going
  }
  return { code: 'CONFLICT', problem: `A subscription that is ${from} cannot become ${status}.` }
}
