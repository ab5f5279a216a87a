import type { Dispute } from '../disputes/dispute.ts'
import { disputedOf } from '../disputes/dispute.ts'
import type { Refund } from '../refunds/refund.ts'
import { isUnderWay } from '../refunds/refund.ts'
import type { Payment } from './payment.ts'
import { chargedAmount } from './wallet-part.ts'

/** All that has taken money of a payment, or may have. */
export interface GivenBack {
  readonly refunds: readonly Pick<Refund, 'refundId' | 'status' | 'amount' | 'tax' | 'lines'>[]
  readonly disputes: readonly Pick<Dispute, 'status' | 'amount'>[]
  /** What its refunds have put back into the wallet that has paid a part of it. */
  readonly toWallet: number
}

/** Of a payment that has only just succeeded. */
export const nothingGivenBack: GivenBack = { refunds: [], disputes: [], toWallet: 0 }

type Paid = Pick<Payment, 'fromWallet' | 'totalAmount'>

/**
 * What refunds that succeeded and disputes that stand leave of what was charged, in the currency's
 * smallest unit. [refunds#what-is-left]
 */
const chargeLeft = (payment: Paid, { disputes, refunds, toWallet }: GivenBack): number =>
  chargedAmount(payment) -
  disputedOf(disputes) -
  (sumOf(refunds.filter(({ status }) => status === 'succeeded')) - toWallet)

/**
 * What a bank can still dispute: refunds that are on their way are to be paid from the charge, too.
 * [refunds#disputes]
 */
export const disputable = (payment: Paid, given: GivenBack): number =>
  Math.max(0, chargeLeft(payment, given) - sumOf(given.refunds.filter(isUnderWay)))

/**
 * What of a refund that succeeds goes back to what was charged: that first, and to the wallet after
 * it, as far as the wallet has paid. [refunds#wallets]
 */
export function chargedBack(
  payment: Paid,
  { amount }: Pick<Refund, 'amount'>,
  before: GivenBack,
): number {
  const fromCharge = Math.min(amount, Math.max(0, chargeLeft(payment, before)))
  return Math.max(fromCharge, amount - (payment.fromWallet - before.toWallet))
}

const sumOf = (all: readonly Pick<Refund, 'amount'>[]): number =>
  all.reduce((sum, { amount }) => sum + amount, 0)
