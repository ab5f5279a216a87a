import { addSubscription } from './bringing.ts'
import type { Fate } from './fates.ts'
import type { Outcome } from './giving-back.ts'
import { addPayment, answered, askAt, carryOut, hear } from './paying.ts'
import type { Charging, ProductName, Quiet } from './program.ts'
import type { ModelPayment, MoneyState } from './state.ts'
import { at, part, seconds } from './state.ts'

type Buy = Extract<Charging, { kind: 'buy' }>
type Open = Extract<Charging, { kind: 'open' }>
type Pay = Extract<Charging, { kind: 'pay' }>

/** What a line costs, less a code, and the tax on it. [payments#what-a-purchase-costs] */
export function pricedAt(
  { world }: MoneyState,
  of: { readonly price: number; readonly quantity: number; readonly lowered: boolean },
): { readonly net: number; readonly tax: number } {
  const full = of.price * of.quantity
  const net = full - (of.lowered ? part(full, world.code.percent, 100) : 0)
  return { net, tax: world.taxed ? part(net, 19, 100) : 0 }
}

/** The first payment of a trial is of 0, and so is that of a mandate. */
const firstPrice = (state: MoneyState, product: ProductName): number =>
  product === 'trial' || product === 'demand' ? 0 : state.prices[product]

const isUsedUp = ({ used, world }: MoneyState): boolean =>
  world.code.limit !== null && used >= world.code.limit

/** Whether payments on their way hold all uses that are left. [resources#redemption] */
const isHeld = ({ payments, used, world }: MoneyState): boolean =>
  world.code.limit !== null &&
  used + payments.filter(({ holds }) => holds).length >= world.code.limit

export function buy(state: MoneyState, step: Buy, fates: readonly Fate[]): Outcome {
  if (step.code && (isUsedUp(state) || step.product === 'demand')) return 'refused'
  const session = addSession(state, step)
  return pay(state, { kind: 'pay', session, card: step.card }, fates)
}

function addSession(
  state: MoneyState,
  { code, product, quantity }: Pick<Buy, 'code' | 'product' | 'quantity'>,
): number {
  const expires = state.now + seconds.day
  return (
    state.sessions.push({ product, quantity, code, expires, payment: null, completed: false }) - 1
  )
}

/** [payments#checkout-sessions] */
export function pay(state: MoneyState, step: Pay, fates: readonly Fate[]): Outcome {
  const session = at(state.sessions, step.session)
  const latest = session.payment === null ? null : at(state.payments, session.payment)
  if (!isOpen(state, step.session)) return 'refused'
  if (latest?.status === 'requires_customer_action') {
    hear(state, latest, 'cancelled')
    if (!isOpen(state, step.session)) return 'refused'
  }
  const { code, product, quantity } = session
  if (code && (isUsedUp(state) || isHeld(state))) return 'refused'
  const price = state.prices[product]
  const first = firstPrice(state, product)
  const priced = pricedAt(state, { price: first, quantity, lowered: code })
  const isFree = product === 'tool' && priced.net === 0
  const terms = {
    ...priced,
    status: 'requires_confirmation' as const,
    product,
    quantity,
    price,
    code,
    holds: code,
    card: isFree ? null : step.card,
    method: null,
  }
  const payment =
    latest?.status === 'requires_payment_method'
      ? Object.assign(latest, terms)
      : addPayment(state, {
          ...terms,
          renews: false,
          demanded: false,
          changes: false,
          session: step.session,
          subscription: null,
          retry: 0,
        })
  session.payment = payment.number
  return carryOut(state, payment, fates)
}

/** Whether it can be paid: not twice, not while an attempt is on its way, not for ever. */
function isOpen(state: MoneyState, number: number): boolean {
  const session = at(state.sessions, number)
  const latest = session.payment === null ? null : at(state.payments, session.payment)
  if (session.completed) return false
  if (latest?.status === 'processing' || latest?.status === 'requires_confirmation') return false
  const hasFailed = latest?.status === 'failed' || latest?.status === 'cancelled'
  if (hasFailed && latest?.subscription !== null) return false
  return state.now < session.expires
}

/** [payments#payments-without-a-session, subscriptions#pending] */
export function open(state: MoneyState, step: Open, fates: readonly Fate[]): Outcome {
  const { code, product, quantity } = step
  const method = methodOf(state, step.method)
  // No code goes with a mandate.
  if (code && (isUsedUp(state) || product === 'demand')) return 'refused'
  const card = method === null ? null : at(state.methods, method)
  if (method !== null && card === null) return 'refused'
  const price = state.prices[product]
  const first = firstPrice(state, product)
  const priced = pricedAt(state, { price: first, quantity, lowered: code })
  const waits = (priced.net + priced.tax > 0 || product === 'demand') && method === null
  if (code && !waits && isHeld(state)) return 'refused'
  const session = addSession(state, step)
  const payment: ModelPayment = addPayment(state, {
    ...priced,
    status: waits ? 'requires_payment_method' : 'requires_confirmation',
    product,
    quantity,
    price,
    code,
    holds: code && !waits,
    card,
    method,
    renews: false,
    demanded: false,
    changes: false,
    session,
    subscription: null,
    retry: 0,
  })
  at(state.sessions, session).payment = payment.number
  if (product !== 'tool') {
    // It is charged through its method, so nobody deletes that meanwhile.
    const terms = { product, quantity, price, codeFor: 0, hasCode: code, method }
    payment.subscription = addSubscription(state, { ...terms, payment: payment.number })
  }
  if (!waits) return carryOut(state, payment, fates)
  askAt(state, payment, at(state.sessions, session).expires)
  return 'done'
}

/** The number of the saved method; null: there is none. */
export const methodOf = ({ methods }: MoneyState, wanted: number | null): number | null =>
  wanted === null || methods.length === 0 ? null : wanted % methods.length

/** Its holder answers what the card was asked. */
export function confirm(state: MoneyState, step: Extract<Quiet, { kind: 'confirm' }>): Outcome {
  const session = at(state.sessions, step.session)
  const latest = session.payment === null ? null : at(state.payments, session.payment)
  if (!isOpen(state, step.session) || latest?.status !== 'requires_customer_action') {
    return 'refused'
  }
  latest.status = 'requires_confirmation'
  const charge = state.charges[latest.number]
  if (charge === undefined) throw new Error('Nobody was asked.')
  charge.passed = step.passed
  charge.from = state.now
  return answered(state, latest)
}
