import type { Customer } from '../commerce/catalog/customer.ts'
import type { IntentStatus, Payment } from '../commerce/payments/payment.ts'

/** A payment as it was when the fact happened, and who pays. [webhooks#kinds] */
export interface PaymentTold {
  readonly customerId: string
  readonly payment: Payment
  readonly customer: Customer
  /** Given where the fact is written; absent: it has none. [invoices#numbers] */
  readonly invoiceNumber?: number
  /** Whether it brought files that were delivered; absent: an older release wrote it. */
  readonly hasDeliveredFiles?: boolean
}

export type PaymentFactType = (typeof types)[keyof typeof types]

export interface PaymentFact {
  readonly type: PaymentFactType
  readonly data: PaymentTold
}

const types = {
  succeeded: 'payment.succeeded',
  failed: 'payment.failed',
  processing: 'payment.processing',
  cancelled: 'payment.cancelled',
} as const satisfies { readonly [Status in IntentStatus]?: string }

/** What the status of a payment tells; null: nothing. */
export function paymentFact(
  payment: Payment,
  customer: Customer,
  { hasDeliveredFiles }: { readonly hasDeliveredFiles: boolean },
): PaymentFact | null {
  if (!isTold(payment.status)) return null
  const { customerId } = customer
  return { type: types[payment.status], data: { customerId, payment, customer, hasDeliveredFiles } }
}

const isTold = (status: IntentStatus): status is keyof typeof types => status in types
