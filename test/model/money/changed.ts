import { bringLicenses, cycleOf, grantCycle, periodOf } from './bringing.ts'
import { paidTooLate } from './giving-back.ts'
import { endCredits } from './rolling.ts'
import type { ModelPayment, ModelPlan, ModelSubscription, MoneyState } from './state.ts'
import { at, isDone, isSettledState } from './state.ts'

/** The new plan's first cycle, with its credits unless it ends a trial. [subscriptions#trials] */
export function restart(
  state: MoneyState,
  subscription: ModelSubscription,
  { payment, plan }: { readonly payment: number | null; readonly plan: ModelPlan },
): void {
  const { inTrial } = subscription
  begin(state, subscription, plan)
  if (!inTrial) grantCycle(state, subscription, { payment, ends: null })
}

/** The open cycle ends, its credits with it or rolled over, and one of the new plan begins. */
export function begin(state: MoneyState, subscription: ModelSubscription, plan: ModelPlan): void {
  endCredits(state, subscription)
  Object.assign(subscription, plan, { codeFor: 0, hasCode: false, inTrial: false })
  subscription.start = state.now
  subscription.next = state.now + cycleOf(subscription)
  subscription.expires = state.now + periodOf(subscription)
}

/** The plan that waited for this end of a cycle. */
export function beginScheduled(subscription: ModelSubscription, cycleAt: number): void {
  const { scheduled } = subscription
  if (scheduled === null) return
  Object.assign(subscription, scheduled, { codeFor: 0, hasCode: false, scheduled: null })
  subscription.expires = cycleAt + periodOf(subscription)
}

/** A change that still waits for its payment is given up. */
export function giveUp(subscription: ModelSubscription): void {
  subscription.owed += subscription.changing?.used ?? 0
  subscription.changing = null
}

/** What became of the payment that a change waits for. [subscriptions#paying-for-a-change] */
export function changeHeard(state: MoneyState, payment: ModelPayment): void {
  if (!isSettledState(payment.status)) return
  const subscription = at(state.subscriptions, payment.subscription ?? -1)
  const { changing } = subscription
  const isPaid = payment.status === 'succeeded'
  if (changing?.payment === payment.number && !isDone(subscription)) {
    if (!isPaid) {
      giveUp(subscription)
      return
    }
    subscription.changing = null
    restart(state, subscription, { plan: changing.plan, payment: payment.number })
    bringLicenses(state, payment)
    return
  }
  if (!isPaid) return
  if (isDone(subscription)) paidTooLate(state, payment)
  else subscription.owed += payment.net
}
