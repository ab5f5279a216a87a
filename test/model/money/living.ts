import { cycleOf, grantCycle } from './bringing.ts'
import { beginScheduled, giveUp } from './changed.ts'
import type { Fate } from './fates.ts'
import type { Outcome } from './giving-back.ts'
import { addPayment, carryOut } from './paying.ts'
import { endCredits } from './rolling.ts'
import { methodOf, pricedAt } from './selling.ts'
import type { ModelPayment, ModelSubscription, MoneyState } from './state.ts'
import { at, isDone, part } from './state.ts'

/** The end of its open cycle, or its own end in the middle of one. */
export const endOf = ({ expires, next }: ModelSubscription): number => Math.min(next, expires)

/** [subscriptions#renewals, subscriptions#endings] */
export function endCycle(
  state: MoneyState,
  subscription: ModelSubscription,
  fates: readonly Fate[],
): void {
  const { dues, expires, next } = subscription
  giveUp(subscription)
  subscription.inTrial = false
  if (expires < next) {
    leaveUntil(state, subscription, next)
    subscription.status = 'expired'
    subscription.scheduled = null
    subscription.dues = dues?.asked === true ? dues : null
    return
  }
  endCredits(state, subscription)
  if (subscription.endsWithCycle || expires === next) {
    // What has rolled over ends where the next cycle would have ended. [credits#rollover]
    leaveUntil(state, subscription, next + cycleOf(subscription.scheduled ?? subscription))
    subscription.status = subscription.endsWithCycle ? 'cancelled' : 'expired'
    subscription.scheduled = null
    return
  }
  const isHeld = subscription.status === 'on_hold' || dues !== null
  if (!isHeld) beginScheduled(subscription, next)
  subscription.start = next
  subscription.next = next + cycleOf(subscription)
  if (dues !== null) dues.change = null
  if (isHeld) subscription.status = 'on_hold'
  else renew(state, subscription, fates)
}

/** What the open cycle has granted ends then. [credits#endings] */
function leaveUntil(state: MoneyState, subscription: ModelSubscription, end: number): void {
  const number = state.subscriptions.indexOf(subscription)
  for (const grant of state.grants) if (grant.subscription === number) grant.ends ??= end
}

/** The new cycle is paid before its credits come; what costs nothing renews at once. */
function renew(state: MoneyState, subscription: ModelSubscription, fates: readonly Fate[]): void {
  const { price, product, quantity } = subscription
  if (product === 'demand') {
    grantCycle(state, subscription, { payment: null, ends: null })
    return
  }
  const lowered = subscription.codeFor > 0
  const full = pricedAt(state, { price, quantity, lowered })
  if (lowered) subscription.codeFor -= 1
  const priced = lessOwed(state, subscription, full.net)
  if (priced.net === 0) {
    grantCycle(state, subscription, { payment: null, ends: null })
    return
  }
  const terms = { ...priced, product, quantity, price, code: lowered }
  const payment = attempt(state, subscription, { ...terms, retry: 0 })
  const { number } = payment
  const never = { retries: 0, failedAt: null, retryAt: null, change: null }
  subscription.dues = { payment: number, asked: true, ...never }
  carryOut(state, payment, fates)
}

/** What is owed to the customer is used up first. */
function lessOwed(state: MoneyState, subscription: ModelSubscription, price: number) {
  const used = Math.min(subscription.owed, price)
  subscription.owed -= used
  const net = price - used
  return { net, tax: state.world.taxed ? part(net, 19, 100) : 0 }
}

/** Another attempt, through the method that the subscription has by then. */
function attempt(
  state: MoneyState,
  subscription: ModelSubscription,
  terms: Pick<ModelPayment, 'net' | 'tax' | 'product' | 'quantity' | 'price' | 'code' | 'retry'>,
  demanded = false,
): ModelPayment {
  const { method } = subscription
  const card = method === null ? null : at(state.methods, method)
  const payment = addPayment(state, {
    ...terms,
    status: 'requires_confirmation',
    renews: !demanded,
    demanded,
    changes: false,
    session: null,
    subscription: state.subscriptions.indexOf(subscription),
    holds: false,
    card,
    method: card === null ? null : method,
  })
  takeFromWallet(state, payment)
  return payment
}

/** The wallet pays what it can, where something can be charged for the rest. [resources#wallets] */
function takeFromWallet(state: MoneyState, payment: ModelPayment): void {
  const total = payment.net + payment.tax
  const part = Math.min(state.wallet, total)
  if (part < total && payment.card === null) return
  state.wallet -= part
  payment.fromWallet = part
  if (part === total) Object.assign(payment, { card: null, method: null })
}

/** Tries a renewal again: by itself, or because somebody asks for it. [subscriptions#dunning] */
export function retry(
  state: MoneyState,
  subscription: ModelSubscription,
  { byItself, fates }: { readonly byItself: boolean; readonly fates: readonly Fate[] },
): Outcome {
  const { dues } = subscription
  if (dues === null) throw new Error('There is nothing to pay.')
  const failed = at(state.payments, dues.payment)
  if (byItself) dues.retries += 1
  const { code, net, price, product, quantity, tax } = failed
  const terms = { code, net, price, product, quantity, tax, retry: byItself ? dues.retries : 0 }
  const payment = attempt(state, subscription, terms)
  Object.assign(dues, { payment: payment.number, asked: true, retryAt: null })
  return carryOut(state, payment, fates)
}

/** [subscriptions#dunning] */
export function changeMethod(
  state: MoneyState,
  of: { readonly subscription: number; readonly method: number; readonly fates: readonly Fate[] },
): Outcome {
  const subscription = at(state.subscriptions, of.subscription)
  const method = methodOf(state, of.method)
  if (method === null) return 'nothing'
  if (at(state.methods, method) === null || isDone(subscription)) return 'refused'
  if (subscription.dues?.asked === true) return 'refused'
  subscription.method = method
  if (subscription.dues === null) return 'done'
  return retry(state, subscription, { byItself: false, fates: of.fates })
}

/** [subscriptions#on-demand] */
export function charge(
  state: MoneyState,
  of: { readonly number: number; readonly cents: number; readonly fates: readonly Fate[] },
): Outcome {
  const subscription = at(state.subscriptions, of.number)
  const { charging, endsWithCycle, product, quantity, status } = subscription
  if (product !== 'demand' || charging !== null || status !== 'active' || endsWithCycle) {
    return 'refused'
  }
  const tax = state.world.taxed ? part(of.cents, 19, 100) : 0
  const terms = { net: of.cents, tax, product, quantity, price: of.cents, code: false, retry: 0 }
  const payment = attempt(state, subscription, terms, true)
  subscription.charging = payment.number
  return carryOut(state, payment, of.fates)
}

/** A method that a live subscription is charged through stays. [payments#saved-methods] */
export function forget(state: MoneyState, wanted: number): Outcome {
  const method = methodOf(state, wanted)
  if (method === null) return 'nothing'
  if (at(state.methods, method) === null) return 'done'
  const isUsed = state.subscriptions.some((each) => !isDone(each) && each.method === method)
  if (isUsed) return 'refused'
  state.methods[method] = null
  return 'done'
}

/** [subscriptions#pauses] */
export function pause(state: MoneyState, subscription: ModelSubscription): Outcome {
  if (subscription.status === 'paused') return 'done'
  const { changing, dues } = subscription
  if (subscription.status !== 'active' || dues !== null || changing !== null) return 'refused'
  subscription.status = 'paused'
  subscription.pausedAt = state.now
  return 'done'
}

/** [subscriptions#pauses] */
export function resume(state: MoneyState, subscription: ModelSubscription): Outcome {
  const { pausedAt, status } = subscription
  if (status === 'active') return 'done'
  if (status !== 'paused' || pausedAt === null) return 'refused'
  subscription.status = 'active'
  subscription.next += state.now - pausedAt
  subscription.expires += state.now - pausedAt
  subscription.pausedAt = null
  return 'done'
}

/** [credits#endings] */
export function cancel(state: MoneyState, subscription: ModelSubscription): Outcome {
  const { dues, pausedAt, status } = subscription
  if (status === 'cancelled') return 'done'
  if (status !== 'active' && status !== 'on_hold' && status !== 'paused') return 'refused'
  const shift = pausedAt === null ? 0 : state.now - pausedAt
  leaveUntil(state, subscription, subscription.next + shift)
  giveUp(subscription)
  subscription.status = 'cancelled'
  subscription.scheduled = null
  subscription.dues = dues?.asked === true ? dues : null
  return 'done'
}

export function endAtCycle(subscription: ModelSubscription, ends: boolean): Outcome {
  if (isDone(subscription)) return 'refused'
  subscription.endsWithCycle = ends
  return 'done'
}
