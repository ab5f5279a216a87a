import type { Customer } from '../commerce/catalog/customer.ts'
import type { Refund, RefundOutcome } from '../commerce/refunds/refund.ts'

/** A refund as it was when the fact happened, and who gets it. [webhooks#kinds] */
export interface RefundTold {
  readonly customerId: string
  readonly refund: Refund
  readonly customer: Customer
}

export type RefundFactType = `refund.${RefundOutcome}`

export interface RefundFact {
  readonly type: RefundFactType
  readonly data: RefundTold
}

export const refundFact = (
  outcome: RefundOutcome,
  refund: Refund,
  customer: Customer,
): RefundFact => ({
  type: `refund.${outcome}`,
  data: { customerId: customer.customerId, refund, customer },
})
