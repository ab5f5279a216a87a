import { bring, renewalHeard } from './bringing.ts'
import { changeHeard } from './changed.ts'
import type { Fate, Said } from './fates.ts'
import { newsOf, saidOf } from './fates.ts'
import type { ModelPayment, MoneyState, PaymentState } from './state.ts'
import { at, chargedOf, isSettledState, seconds } from './state.ts'

const { minute, day } = seconds

/** Another attempt, or a payment that waits for one. */
export function addPayment(
  state: MoneyState,
  payment: Omit<
    ModelPayment,
    'number' | 'created' | 'paidAt' | 'refund' | 'dispute' | 'fromWallet'
  >,
): ModelPayment {
  const added: ModelPayment = {
    ...payment,
    fromWallet: 0,
    number: state.payments.length,
    created: state.now,
    paidAt: null,
    refund: null,
    dispute: null,
  }
  state.payments.push(added)
  return added
}

/**
 * Asks the processor for an attempt that is written down, and hears what it says, unless that is
 * lost or the process dies of it. [payments#news]
 */
export function carryOut(
  state: MoneyState,
  payment: ModelPayment,
  fates: readonly Fate[],
): 'died' | 'done' {
  askAt(state, payment, state.now + 5 * minute)
  if (payment.card === null) {
    hear(state, payment, chargedOf(payment) === 0 ? 'succeeded' : 'failed')
    return 'done'
  }
  const fate = at(fates, state.asked % fates.length)
  state.asked += 1
  const charge = {
    fate,
    hasHolder: payment.method === null,
    from: state.now,
    passed: null,
  }
  state.charges[payment.number] = charge
  return answered(state, payment)
}

/** The answer of the processor, as well as it comes through. */
export function answered(state: MoneyState, payment: ModelPayment): 'died' | 'done' {
  const charge = chargeOf(state, payment)
  if (charge.fate.answer === 'dies') return 'died'
  if (charge.fate.answer === 'lost') {
    // A confirmation that is lost says nothing; a charge that is lost is on its way.
    if (charge.passed === null) hear(state, payment, 'processing')
    return 'done'
  }
  hear(state, payment, stateOf(saidOf(charge, state.now)))
  for (const { after, said } of newsOf(charge)) {
    state.news.push({ payment: payment.number, due: state.now + after, said })
  }
  return 'done'
}

const chargeOf = (state: MoneyState, { number }: ModelPayment) => {
  const charge = state.charges[number]
  if (charge === undefined) throw new Error('Nobody was asked for this payment.')
  return charge
}

export function askAt(state: MoneyState, { number }: ModelPayment, due: number): void {
  state.news.push({ payment: number, due, said: null })
}

const stateOf = (said: Said): PaymentState =>
  (
    ({
      paid: 'succeeded',
      declined: 'failed',
      waits: 'processing',
      asks: 'requires_customer_action',
    }) as const
  )[said]

/** News that is due: what was told, or, with nothing told, what the processor says now. */
export function hearNews(state: MoneyState, { payment: number, said }: MoneyState['news'][0]) {
  const payment = at(state.payments, number)
  if (isSettledState(payment.status)) return
  if (said !== null) hear(state, payment, stateOf(said))
  else askAgain(state, payment)
}

function askAgain(state: MoneyState, payment: ModelPayment): void {
  if (payment.status === 'requires_payment_method') {
    hear(state, payment, 'cancelled')
    return
  }
  if (payment.status === 'requires_customer_action') {
    untilSessionEnds(state, payment)
    return
  }
  const charge = chargeOf(state, payment)
  const wasHeard = payment.status !== 'requires_confirmation'
  const now = stateOf(saidOf(charge, state.now))
  hear(state, payment, now)
  if (now === 'requires_customer_action') {
    untilSessionEnds(state, payment)
    return
  }
  if (!wasHeard) {
    for (const { after, said } of newsOf(charge)) {
      state.news.push({ payment: payment.number, due: state.now + after, said })
    }
  }
  if (now !== 'processing') return
  const end = payment.created + 14 * day
  if (state.now >= end) hear(state, payment, 'failed')
  else
    askAt(state, payment, Math.min(end, state.now + Math.max(state.now - payment.created, minute)))
}

/** A buyer may confirm as long as the session lasts. [payments#news] */
function untilSessionEnds(state: MoneyState, payment: ModelPayment): void {
  const { expires } = at(state.sessions, payment.session ?? -1)
  if (expires > state.now) askAt(state, payment, expires)
  else hear(state, payment, 'cancelled')
}

/** What is settled stays so, whatever else is told. [payments#news] */
export function hear(state: MoneyState, payment: ModelPayment, status: PaymentState): void {
  if (isSettledState(payment.status) || payment.status === status) return
  payment.status = status
  if (payment.holds && isSettledState(status)) {
    payment.holds = false
    if (status === 'succeeded') state.used += 1
  }
  if (status === 'succeeded') bring(state, payment)
  else if (isSettledState(status)) state.wallet += payment.fromWallet
  if (payment.renews) renewalHeard(state, payment)
  else if (payment.demanded) chargeHeard(state, payment)
  else if (payment.changes) changeHeard(state, payment)
  else if (status === 'failed' || status === 'cancelled') failPending(state, payment)
}

/** Whatever became of it, the next one can come. [subscriptions#on-demand] */
function chargeHeard(state: MoneyState, { number, status, subscription }: ModelPayment): void {
  const charged = at(state.subscriptions, subscription ?? -1)
  if (isSettledState(status) && charged.charging === number) charged.charging = null
}

/** [subscriptions#pending] */
function failPending(state: MoneyState, { number, subscription }: ModelPayment): void {
  if (subscription === null) return
  const pending = at(state.subscriptions, subscription)
  if (pending.status === 'pending' && pending.payment === number) pending.status = 'failed'
}
