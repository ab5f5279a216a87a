import { openDispute } from './giving-back.ts'
import type { ModelPayment, ModelSubscription, MoneyState } from './state.ts'
import { at, chargedOf, isDone, part, seconds } from './state.ts'

const { hour, day } = seconds

/** Card 2 is disputed as soon as it has paid. */
export const disputedCard = 2

const isPlan = ({ product }: Pick<ModelPayment, 'product'>): boolean => product !== 'tool'

/** All that a success brings, at once. [payments#one-way-to-be-paid] */
export function bring(state: MoneyState, payment: ModelPayment): void {
  const charged = chargedOf(payment)
  payment.paidAt = state.now
  if (charged > 0) {
    state.ledger.push(['payment', charged])
    book(state, 'payment_fees', state.world.fees ? part(charged, 290, 10_000) + 30 : 0)
  }
  saveMethod(state, payment)
  if (payment.session !== null) at(state.sessions, payment.session).completed = true
  if (!payment.renews && !payment.demanded && !payment.changes) {
    if (isPlan(payment)) begin(state, payment)
    else grantTools(state, payment)
  }
  if (!payment.changes) bringLicenses(state, payment)
  if (payment.card === disputedCard && charged > 0) {
    openDispute(state, { payment: payment.number, amount: charged, byCard: true })
  }
}

export function book(state: MoneyState, type: string, amount: number): void {
  if (amount > 0) state.ledger.push([type, amount])
}

/** [payments#saved-methods] */
function saveMethod(state: MoneyState, payment: ModelPayment): void {
  if (payment.card === null || payment.method !== null) return
  const kept = state.methods.indexOf(payment.card)
  if (kept >= 0) payment.method = kept
  else if (isPlan(payment)) payment.method = state.methods.push(payment.card) - 1
}

function grantTools(state: MoneyState, { number, quantity }: ModelPayment): void {
  const remaining = 10 * quantity
  state.grants.push({
    kind: 'tool',
    payment: number,
    subscription: null,
    remaining,
    rolls: 0,
    ends: null,
  })
}

/**
 * A key for each unit of the tool; of the plan of 30 days, with what a subscription first pays for
 * it. [licenses#license-keys]
 */
export function bringLicenses(state: MoneyState, payment: ModelPayment): void {
  const { number, product, quantity } = payment
  if (product !== 'tool' && product !== 'plan') return
  const subscription = product === 'plan' ? payment.subscription : null
  const had = state.licenses.some((each) => each.subscription === subscription)
  if (subscription !== null && had) return
  for (let unit = 0; unit < quantity; unit += 1) {
    state.licenses.push({ payment: number, subscription, disabled: false, places: 0 })
  }
}

export const cycleOf = ({ product }: Pick<ModelPayment, 'product'>): number =>
  (product === 'brief' ? 10 : 30) * day

export const periodOf = ({ product }: Pick<ModelPayment, 'product'>): number =>
  (product === 'brief' ? 25 : 3_650) * day

/** A subscription begins with its first payment. [subscriptions#cycles, subscriptions#trials] */
function begin(state: MoneyState, payment: ModelPayment): void {
  const { code, method, price, product, quantity } = payment
  const trial = product === 'trial'
  // A code that does not lower the trial lowers the payments after it.
  const codeFor = code ? (trial ? 2 : 1) : 0
  const terms = { product, quantity, price, codeFor, hasCode: code, method }
  const waiting = payment.subscription
  if (waiting === null) {
    payment.subscription = addSubscription(state, { ...terms, payment: payment.number })
  } else Object.assign(at(state.subscriptions, waiting), terms)
  start(state, at(state.subscriptions, payment.subscription ?? -1), payment.number)
}

/** A subscription that has not begun. */
export function addSubscription(
  state: MoneyState,
  terms: Pick<
    ModelSubscription,
    'product' | 'quantity' | 'price' | 'codeFor' | 'hasCode' | 'method' | 'payment'
  >,
): number {
  const idle = {
    start: 0,
    next: 0,
    expires: 0,
    pausedAt: null,
    endsWithCycle: false,
    dues: null,
    charging: null,
    isOnDemand: terms.product === 'demand',
    inTrial: false,
    owed: 0,
    changing: null,
    scheduled: null,
  }
  return state.subscriptions.push({ ...terms, ...idle, status: 'pending' }) - 1
}

function start(state: MoneyState, subscription: ModelSubscription, payment: number): void {
  const trial = subscription.product === 'trial'
  subscription.status = 'active'
  subscription.inTrial = trial
  subscription.start = state.now
  subscription.next = state.now + (trial ? 7 * day : cycleOf(subscription))
  subscription.expires = state.now + periodOf(subscription)
  if (!trial) grantCycle(state, subscription, { payment, ends: null })
}

export function grantCycle(
  state: MoneyState,
  subscription: ModelSubscription,
  { payment, ends }: { readonly payment: number | null; readonly ends: number | null },
): void {
  state.grants.push({
    kind: 'plan',
    payment,
    subscription: state.subscriptions.indexOf(subscription),
    remaining: 100 * subscription.quantity,
    rolls: 0,
    ends,
  })
}

/** What became of the latest attempt to be paid a renewal. [subscriptions#dunning] */
export function renewalHeard(state: MoneyState, payment: ModelPayment): void {
  const subscription = at(state.subscriptions, payment.subscription ?? -1)
  const { dues } = subscription
  if (dues?.payment !== payment.number) return
  if (payment.status === 'succeeded') {
    subscription.dues = null
    if (!isDone(subscription)) subscription.status = 'active'
    if (dues.change?.inTrial === true) return
    if (!isDone(subscription)) {
      grantCycle(state, subscription, { payment: payment.number, ends: null })
    } else if (subscription.next > state.now) {
      const ends = subscription.next
      grantCycle(state, subscription, { payment: payment.number, ends })
    }
  } else if (payment.status === 'failed' || payment.status === 'cancelled') {
    if (isDone(subscription)) {
      subscription.dues = null
      return
    }
    subscription.status = 'on_hold'
    dues.asked = false
    dues.failedAt ??= state.now
    dues.retryAt = payment.card === null ? null : retryAt(dues, state.now)
  }
}

const delays = [12, 24, 48, 72, 96, 120, 168, 168]

function retryAt(
  { failedAt, retries }: { readonly failedAt: number | null; readonly retries: number },
  now: number,
): number | null {
  const delay = delays[retries]
  if (delay === undefined) return null
  const next = now + delay * hour
  return next > (failedAt ?? now) + 13 * day ? null : next
}
