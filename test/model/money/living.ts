import { cycleOf, grantCycle } from './bringing.ts'
import type { Fate } from './fates.ts'
import type { Outcome } from './giving-back.ts'
import { addPayment, carryOut } from './paying.ts'
import { methodOf, pricedAt } from './selling.ts'
import type { ModelPayment, ModelSubscription, MoneyState } from './state.ts'
import { at, isDone } from './state.ts'

/** The end of its open cycle, or its own end in the middle of one. */
export const endOf = ({ expires, next }: ModelSubscription): number => Math.min(next, expires)

/** [subscriptions#renewals, subscriptions#endings] */
export function endCycle(
  state: MoneyState,
  subscription: ModelSubscription,
  fates: readonly Fate[],
): void {
  const { dues, expires, next } = subscription
  if (expires < next) {
    leaveUntil(state, subscription, next)
    subscription.status = 'expired'
    subscription.dues = dues?.asked === true ? dues : null
    return
  }
  leaveUntil(state, subscription, next)
  if (subscription.endsWithCycle || expires === next) {
    subscription.status = subscription.endsWithCycle ? 'cancelled' : 'expired'
    return
  }
  subscription.start = next
  subscription.next = next + cycleOf(subscription)
  if (subscription.status === 'on_hold' || dues !== null) subscription.status = 'on_hold'
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
  const lowered = subscription.codeFor > 0
  const priced = pricedAt(state, { price, quantity, lowered })
  if (lowered) subscription.codeFor -= 1
  if (priced.net === 0) {
    grantCycle(state, subscription, { payment: null, ends: null })
    return
  }
  const terms = { ...priced, product, quantity, price, code: lowered }
  const payment = attempt(state, subscription, { ...terms, retry: 0 })
  const { number } = payment
  const never = { retries: 0, failedAt: null, retryAt: null }
  subscription.dues = { payment: number, asked: true, ...never }
  carryOut(state, payment, fates)
}

/** Another attempt, through the method that the subscription has by then. */
function attempt(
  state: MoneyState,
  subscription: ModelSubscription,
  terms: Pick<ModelPayment, 'net' | 'tax' | 'product' | 'quantity' | 'price' | 'code' | 'retry'>,
): ModelPayment {
  const { method } = subscription
  const card = method === null ? null : at(state.methods, method)
  const payment = addPayment(state, {
    ...terms,
    status: 'requires_confirmation',
    renews: true,
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
  if (subscription.status !== 'active' || subscription.dues !== null) return 'refused'
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
  subscription.status = 'cancelled'
  subscription.dues = dues?.asked === true ? dues : null
  return 'done'
}

export function endAtCycle(subscription: ModelSubscription, ends: boolean): Outcome {
  if (isDone(subscription)) return 'refused'
  subscription.endsWithCycle = ends
  return 'done'
}
