import { disputedOf } from '../disputes/dispute.ts'
import type { GivenBack } from '../payments/given-back.ts'
import type { Payment } from '../payments/payment.ts'
import type { PaymentRefundStatus, Refund, RefundedLine } from './refund.ts'

/** What a line of a payment has cost, and what of it can still go back. */
export interface RefundableLine {
  readonly itemId: string
  /** Without tax, and the tax, in the currency's smallest unit. */
  readonly net: number
  readonly tax: number
  readonly netLeft: number
  readonly taxLeft: number
}

/**
 * What of a payment can still go back: refunds that failed, and disputes that were won or
 * cancelled, have taken nothing of it.
 */
export interface Refundable {
  /** At most so much, whatever is left of the lines: disputes are of no line. */
  readonly amount: number
  /** What disputes hold of the payment. */
  readonly disputed: number
  readonly tax: number
  readonly lines: readonly RefundableLine[]
}

/** [refunds#what-is-left] */
export function refundableOf(
  payment: Pick<Payment, 'totalAmount' | 'tax' | 'lines'>,
  { disputes, refunds }: Pick<GivenBack, 'disputes' | 'refunds'>,
): Refundable {
  const disputed = disputedOf(disputes)
  const standing = refunds.filter(({ status }) => status !== 'failed')
  const given = standing.flatMap(({ lines }) => lines)
  const ids = [...new Set(payment.lines.map(({ itemId }) => itemId))]
  return {
    amount: Math.max(0, payment.totalAmount - sumOf(standing, ({ amount }) => amount) - disputed),
    disputed,
    tax: payment.tax - sumOf(standing, ({ tax }) => tax),
    lines: ids.map((itemId) => lineLeft(itemId, payment.lines, given)),
  }
}

/** Lines of the same id, such as an add-on of two products, are one. */
function lineLeft(
  itemId: string,
  lines: Payment['lines'],
  given: readonly RefundedLine[],
): RefundableLine {
  const own = lines.filter((line) => line.itemId === itemId)
  const back = given.filter((line) => line.itemId === itemId)
  const net = sumOf(own, ({ amount }) => amount)
  const tax = sumOf(own, (line) => line.tax)
  const taxBack = sumOf(back, (line) => line.tax)
  const netBack = sumOf(back, ({ amount }) => amount) - taxBack
  return { itemId, net, tax, netLeft: net - netBack, taxLeft: tax - taxBack }
}

/** What refunds that succeeded say of their payment; null: none did. [refunds#what-is-left] */
export function refundStatusOf(
  { totalAmount }: Pick<Payment, 'totalAmount'>,
  refunds: readonly Pick<Refund, 'status' | 'amount'>[],
): PaymentRefundStatus | null {
  const succeeded = refunds.filter(({ status }) => status === 'succeeded')
  if (succeeded.length === 0) return null
  return sumOf(succeeded, ({ amount }) => amount) >= totalAmount ? 'full' : 'partial'
}

const sumOf = <T>(all: readonly T[], of: (each: T) => number): number =>
  all.reduce((sum, each) => sum + of(each), 0)
