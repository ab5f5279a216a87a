import { grantCycle } from './bringing.ts'
import { begin, restart } from './changed.ts'
import type { Fate } from './fates.ts'
import type { Outcome } from './giving-back.ts'
import { addPayment, carryOut } from './paying.ts'
import type { PlanChange, PlanName } from './program.ts'
import { pricedAt } from './selling.ts'
import type { ModelPayment, ModelPlan, ModelSubscription, MoneyState } from './state.ts'
import { at, part } from './state.ts'

/** Asks for another plan, now or with the next cycle. [subscriptions#plan-changes] */
export function change(
  state: MoneyState,
  of: { readonly number: number; readonly step: PlanChange; readonly fates: readonly Fate[] },
): Outcome {
  const { fates, number, step } = of
  const subscription = at(state.subscriptions, number)
  if (!canChange(subscription)) return 'refused'
  const plan = planOf(state, step)
  if (step.mode === 'later') {
    subscription.scheduled = plan
    return 'done'
  }
  if (step.mode === 'do_not_bill') {
    Object.assign(subscription, plan, { codeFor: 0, hasCode: false })
    if (!subscription.inTrial) grantCycle(state, subscription, { payment: null, ends: null })
    return 'done'
  }
  const due = dueOf(state, subscription, { mode: step.mode, plan })
  if (due.net === 0) {
    subscription.owed += due.added - due.used
    restart(state, subscription, { plan, payment: null })
    return 'done'
  }
  const payment = attemptOf(state, subscription, { plan, net: due.net, renews: !step.prevents })
  if (step.prevents) {
    subscription.owed -= due.used
    subscription.changing = { payment: payment.number, plan, used: due.used }
  } else {
    const inTrial = subscription.inTrial
    subscription.owed -= due.used
    begin(state, subscription, plan)
    const never = { retries: 0, failedAt: null, retryAt: null }
    subscription.dues = { payment: payment.number, asked: true, change: { inTrial }, ...never }
  }
  return carryOut(state, payment, fates)
}

/** Takes a change back that waits for the next cycle. */
export function unschedule(state: MoneyState, number: number): Outcome {
  const subscription = at(state.subscriptions, number)
  if (subscription.scheduled === null) return 'refused'
  subscription.scheduled = null
  return 'done'
}

const canChange = ({
  changing,
  dues,
  endsWithCycle,
  isOnDemand,
  scheduled,
  status,
}: ModelSubscription): boolean =>
  status === 'active' &&
  changing === null &&
  dues === null &&
  scheduled === null &&
  !endsWithCycle &&
  !isOnDemand

const planOf = (
  { prices }: MoneyState,
  { product, quantity }: { readonly product: PlanName; readonly quantity: number },
): ModelPlan => ({ product, quantity, price: prices[product] })

/** What the change charges before tax, of what was owed to the customer, and adds to it. */
function dueOf(
  state: MoneyState,
  subscription: ModelSubscription,
  { mode, plan }: { readonly mode: PlanChange['mode']; readonly plan: ModelPlan },
): { readonly net: number; readonly used: number; readonly added: number } {
  const from = subscription.inTrial ? 0 : paidFor(state, subscription)
  const to = plan.price * plan.quantity
  const left = subscription.next - state.now
  const length = subscription.next - subscription.start
  const charge =
    mode === 'full_immediately'
      ? to
      : mode === 'difference_immediately'
        ? to - from
        : part(to - from, left, length)
  const used = Math.min(subscription.owed, Math.max(0, charge))
  return { net: Math.max(0, charge) - used, used, added: Math.max(0, -charge) }
}

/** The price of a cycle, as the code has made it in what was paid last. */
function paidFor(state: MoneyState, subscription: ModelSubscription): number {
  const { hasCode, price, quantity } = subscription
  const number = state.subscriptions.indexOf(subscription)
  const last = state.payments.findLast(
    (each) => each.subscription === number && each.status === 'succeeded',
  )
  return pricedAt(state, { price, quantity, lowered: hasCode && last?.code === true }).net
}

/** Charged by the saved method; no wallet pays for a change. */
function attemptOf(
  state: MoneyState,
  subscription: ModelSubscription,
  of: { readonly plan: ModelPlan; readonly net: number; readonly renews: boolean },
): ModelPayment {
  const { method } = subscription
  const card = method === null ? null : at(state.methods, method)
  return addPayment(state, {
    ...of.plan,
    net: of.net,
    tax: state.world.taxed ? part(of.net, 19, 100) : 0,
    status: 'requires_confirmation',
    renews: of.renews,
    demanded: false,
    changes: !of.renews,
    session: null,
    subscription: state.subscriptions.indexOf(subscription),
    holds: false,
    code: false,
    card,
    method: card === null ? null : method,
    retry: 0,
  })
}
