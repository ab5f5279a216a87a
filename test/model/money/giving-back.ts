import type { DisputeMove, PayoutMove, RefundPart } from './program.ts'
import type { ModelPayment, ModelRefund, MoneyState } from './state.ts'
import { at, chargedOf, part, seconds } from './state.ts'

const { day } = seconds

/** Done, or the code of the refusal. */
export type Outcome = string

/** Asks for a refund: of all that is left, or of a part of the only line. [refunds#refusals] */
export function refund(state: MoneyState, number: number, wanted: RefundPart | null): Outcome {
  const payment = at(state.payments, number)
  const total = payment.net + payment.tax
  const before = state.refunds.filter((each) => each.payment === number)
  if (payment.status !== 'succeeded') return 'PAYMENT_NOT_SUCCEEDED'
  if (total === 0) return 'ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED'
  if (payment.refund === 'full') return 'PAYMENT_ALREADY_REFUNDED'
  if (before.some(({ status }) => status === 'pending')) return 'EXISTING_REFUND_REQUEST_PROCESSING'
  if (state.now > (payment.paidAt ?? 0) + 30 * day) return 'REFUND_WINDOW_EXPIRED'
  const given = before.filter(({ status }) => status === 'succeeded')
  const taxBack = given.reduce((all, { tax }) => all + tax, 0)
  const back = given.reduce((all, { amount }) => all + amount, 0)
  const left = { net: payment.net - (back - taxBack), tax: payment.tax - taxBack }
  const disputed = disputedOf(state, number)
  const most = total - back - disputed
  if (most === 0 && disputed > 0) return 'NOTHING_TO_REFUND'
  const whole = wanted === null && disputed > 0 ? { amount: most, inclusive: true } : wanted
  const made = wantedPart(payment, left, whole)
  if (typeof made === 'string') return made
  if (made.amount > most) return 'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT'
  const status = state.world.refundsAtOnce ? 'succeeded' : 'pending'
  const refunded: ModelRefund = { payment: number, status, toWallet: 0, ...made }
  state.refunds.push(refunded)
  if (status === 'succeeded') giveBack(state, refunded)
  return 'done'
}

/** What disputes of a payment hold, open or lost. [refunds#what-is-left] */
const disputedOf = ({ disputes }: MoneyState, number: number): number =>
  disputes
    .filter(({ payment, status }) => payment === number && !isReturned(status))
    .reduce((all, { amount }) => all + amount, 0)

const isReturned = (status: string): boolean =>
  status === 'dispute_won' || status === 'dispute_cancelled'

/** What refunds that succeeded and disputes leave of the charge. [refunds#wallets] */
const chargeLeft = (state: MoneyState, number: number): number =>
  state.refunds
    .filter(({ payment, status }) => payment === number && status === 'succeeded')
    .reduce(
      (left, { amount, toWallet }) => left - amount + toWallet,
      chargedOf(at(state.payments, number)) - disputedOf(state, number),
    )

interface Left {
  readonly net: number
  readonly tax: number
}

/** [refunds#tax] */
function wantedPart(
  { net, tax }: ModelPayment,
  left: Left,
  wanted: RefundPart | null,
): Pick<ModelRefund, 'amount' | 'tax'> | string {
  const amount = wanted?.amount ?? null
  if (wanted === null || amount === null) return { amount: left.net + left.tax, tax: left.tax }
  if (wanted.inclusive) {
    if (amount > left.net + left.tax) return 'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH'
    const back = net + tax - left.net - left.tax
    const due = part(tax, back + amount, net + tax) - (tax - left.tax)
    const least = Math.max(0, amount - left.net)
    return { amount, tax: Math.min(Math.max(due, least), amount, left.tax) }
  }
  if (amount > left.net) return 'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH'
  const due = part(tax, net - left.net + amount, net) - (tax - left.tax)
  const own = amount === left.net ? left.tax : Math.min(Math.max(due, 0), left.tax)
  return { amount: amount + own, tax: own }
}

/** What a refund that succeeds takes back. [refunds#what-a-refund-takes-back] */
function giveBack(state: MoneyState, refund: ModelRefund): void {
  const { amount, payment: number } = refund
  const payment = at(state.payments, number)
  // It counts as given already.
  const charged = Math.min(amount, Math.max(0, chargeLeft(state, number) + amount))
  refund.toWallet = amount - charged
  state.wallet += refund.toWallet
  if (charged > 0) state.ledger.push(['refund', charged])
  if (charged > 0 && state.world.fees) state.ledger.push(['refund_fees', 7])
  const back = state.refunds
    .filter(({ payment, status }) => payment === number && status === 'succeeded')
    .reduce((all, each) => all + each.amount, 0)
  payment.refund = back === payment.net + payment.tax ? 'full' : 'partial'
  if (payment.refund !== 'full') return
  for (const license of state.licenses) if (license.payment === number) license.disabled = true
  for (const grant of state.grants) if (grant.payment === number) grant.remaining = 0
}

/** The operator says what became of a refund. [refunds#states] */
export function settle(state: MoneyState, number: number, succeeded: boolean): Outcome {
  const refunded = at(state.refunds, number)
  const wanted = succeeded ? 'succeeded' : 'failed'
  if (refunded.status === wanted) return 'done'
  if (refunded.status !== 'pending') return 'refused'
  refunded.status = wanted
  if (succeeded) giveBack(state, refunded)
  return 'done'
}

/** [refunds#disputes] */
export function openDispute(
  state: MoneyState,
  of: { readonly payment: number; readonly amount: number | null; readonly byCard?: boolean },
): Outcome {
  const payment = at(state.payments, of.payment)
  if (payment.status !== 'succeeded' || chargedOf(payment) === 0) return 'refused'
  const pending = state.refunds
    .filter(({ payment, status }) => payment === of.payment && status === 'pending')
    .reduce((all, each) => all + each.amount, 0)
  const left = Math.max(0, chargeLeft(state, of.payment) - pending)
  const byCard = of.byCard ?? false
  const isTheSame = state.disputes.some(
    (each) =>
      each.payment === of.payment &&
      each.byCard === byCard &&
      (each.rapid || each.status === 'dispute_opened') &&
      (of.amount === null ? left === 0 : each.amount === of.amount),
  )
  if (isTheSame) return 'done'
  const amount = of.amount ?? left
  if (amount < 1 || amount > left) return 'refused'
  const rapid = state.world.rapid && amount <= 500
  const status = rapid ? 'dispute_lost' : 'dispute_opened'
  const answerBy = state.now + 10 * day
  state.disputes.push({ payment: of.payment, amount, status, answerBy, rapid, byCard })
  payment.dispute = status
  state.ledger.push(['dispute', amount])
  if (state.world.fees) state.ledger.push(['dispute_fees', 1_500])
  return 'done'
}

const moves: Readonly<Record<string, readonly string[]>> = {
  dispute_opened: ['challenged', 'accepted', 'cancelled', 'expired'],
  dispute_challenged: ['won', 'lost', 'cancelled'],
}

export function moveDispute(
  state: MoneyState,
  number: number,
  to: DisputeMove | 'expired',
): Outcome {
  const dispute = at(state.disputes, number)
  if (!(moves[dispute.status] ?? []).includes(to)) return 'refused'
  dispute.status = `dispute_${to}`
  const last = state.disputes.findLast(({ payment }) => payment === dispute.payment)
  if (last === dispute) at(state.payments, dispute.payment).dispute = dispute.status
  if (to === 'won' || to === 'cancelled') state.ledger.push(['dispute_reversal', dispute.amount])
  return 'done'
}

const comingIn = ['payment', 'dispute_reversal', 'payout_reversal', 'payout_fees_reversal']

/** What the ledger holds, which is what was not paid out. [payouts#payouts] */
const held = ({ ledger }: MoneyState): number =>
  ledger.reduce((all, [type, amount]) => all + (comingIn.includes(type) ? amount : -amount), 0)

/** [payouts#payouts] */
export function payOut(state: MoneyState): Outcome {
  const holds = held(state)
  if (holds <= 0) return 'refused'
  const fee = state.world.fees ? part(holds, 100, 10_000) + 25 : 0
  if (fee >= holds) return 'refused'
  state.payouts.push({ status: 'not_initiated', amount: holds - fee, fee })
  if (fee > 0) state.ledger.push(['payout_fees', fee])
  state.ledger.push(['payout', holds - fee])
  return 'done'
}

/** [payouts#states] */
export function markPaidOut(state: MoneyState, number: number, to: PayoutMove): Outcome {
  const payout = at(state.payouts, number)
  if (payout.status === to) return 'done'
  if (payout.status === 'failed' || payout.status === 'success') return 'refused'
  payout.status = to
  if (to === 'failed') {
    state.ledger.push(['payout_reversal', payout.amount])
    if (payout.fee > 0) state.ledger.push(['payout_fees_reversal', payout.fee])
  }
  return 'done'
}

/** A change that is paid once its subscription is over. [subscriptions#paying-for-a-change] */
export function paidTooLate(state: MoneyState, payment: ModelPayment): void {
  if (payment.dispute !== null) return
  const { net, number, tax } = payment
  const status = state.world.refundsAtOnce ? 'succeeded' : 'pending'
  const refunded: ModelRefund = { payment: number, status, amount: net + tax, tax, toWallet: 0 }
  state.refunds.push(refunded)
  if (status === 'succeeded') giveBack(state, refunded)
}
