import type { Customer } from '../rules/commerce/catalog/customer.ts'
import type { Dispute } from '../rules/commerce/disputes/dispute.ts'
import type { Payment } from '../rules/commerce/payments/payment.ts'
import { chargedAmount } from '../rules/commerce/payments/wallet-part.ts'
import type { Refund } from '../rules/commerce/refunds/refund.ts'
import { refundableOf } from '../rules/commerce/refunds/refundable.ts'
import { formatInstant } from '../std/instant.ts'
import { customFieldResponses } from './custom-field-responses.ts'
import { discountDetail } from './discount-detail.ts'
import { disputeOfPayment } from './dispute.ts'
import type { InvoiceLink } from './invoice-link.ts'
import { refundListItem } from './refund.ts'
import { customerLimitedDetails } from './subscription.ts'

/** [resources#payments] */
export type PaymentView = ReturnType<typeof paymentView>
/** [resources#payments] */
export type PaymentListItem = ReturnType<typeof paymentListItem>
/** [resources#payments] */
export type PaymentLinesView = ReturnType<typeof paymentLinesView>

interface ShownPayment extends BesidePayment {
  /** Its refunds; absent: it has none. */
  readonly refunds?: readonly Refund[]
  /** Its disputes; absent: it has none. */
  readonly disputes?: readonly Dispute[]
}

/** [resources#payments] */
export const paymentView = (
  businessId: string,
  payment: Payment,
  { refunds = [], disputes = [], ...beside }: ShownPayment,
) => ({
  ...common(payment, beside),
  billing: payment.billing,
  business_id: businessId,
  card_holder_name: payment.card?.holder ?? null,
  card_issuing_country: payment.card?.issuingCountry ?? null,
  card_type: payment.card?.type ?? null,
  checkout_session_id: payment.sessionId,
  custom_field_responses: customFieldResponses(payment.customFields),
  discount_id: payment.discounts[0]?.discount.discountId ?? null,
  discounts:
    payment.discounts.length === 0
      ? null
      : payment.discounts.map((kept, position) => discountDetail(businessId, kept, position)),
  disputes: disputes.map((dispute) => disputeOfPayment(businessId, dispute)),
  error_code: payment.errorCode,
  error_message: payment.errorMessage,
  is_update_payment_method: payment.purpose === 'method_update',
  payment_link: payment.paymentLink,
  payment_method_id: payment.paymentMethodId,
  product_cart: payment.products.map(({ productId, quantity }) => ({
    product_id: productId,
    quantity,
  })),
  refunds: refunds.map((refund) => refundListItem(businessId, refund)),
  retry_attempt: payment.retryAttempt,
  settlement_amount: chargedAmount(payment),
  settlement_currency: payment.currency,
  settlement_tax: payment.tax,
  tax: payment.tax,
  updated_at: formatInstant(payment.updatedAt),
})

/** [resources#payments] */
export const paymentListItem = (
  payment: Payment,
  beside: BesidePayment,
  hasLicenseKey: boolean,
) => ({
  ...common(payment, beside),
  dispute_status: payment.disputeStatus,
  has_license_key: hasLicenseKey,
})

/** What a payment is shown with. */
export interface BesidePayment {
  readonly customer: Customer
  readonly invoice: InvoiceLink
  /** Whether it brought files that were delivered. */
  readonly hasDeliveredFiles: boolean
}

const common = (payment: Payment, { customer, hasDeliveredFiles, invoice }: BesidePayment) => ({
  brand_id: payment.brandId,
  card_last_four: payment.card?.lastFour ?? null,
  card_network: payment.card?.network ?? null,
  created_at: formatInstant(payment.createdAt),
  currency: payment.currency,
  customer: customerLimitedDetails(customer),
  digital_products_delivered: hasDeliveredFiles,
  invoice_id: invoice.id,
  invoice_url: invoice.url,
  metadata: payment.metadata,
  payment_id: payment.paymentId,
  payment_method: payment.card === null ? null : ('card' as const),
  payment_method_type: payment.card?.type ?? null,
  // The contract knows three names, none of which is ours; this one says: not by name.
  payment_provider: 'dodo' as const,
  refund_status: payment.refundStatus,
  status: payment.status,
  subscription_id: payment.subscriptionId,
  total_amount: payment.totalAmount,
})

/** [resources#payments] */
export function paymentLinesView(
  payment: Payment,
  given: { readonly refunds: readonly Refund[]; readonly disputes: readonly Dispute[] },
) {
  const { currency, lines } = payment
  const left = refundableOf(payment, given)
  return {
    currency,
    items: lines.map((line) => {
      const of = left.lines.find(({ itemId }) => itemId === line.itemId)
      const whole = line.amount + line.tax
      return {
        amount: whole,
        description: line.description,
        items_id: line.itemId,
        name: line.name,
        // Of a line whose id stands twice no more than itself is left, and of all lines together no
        // more than disputes leave.
        refundable_amount: Math.min(whole, left.amount, (of?.netLeft ?? 0) + (of?.taxLeft ?? 0)),
        tax: line.tax,
      }
    }),
  }
}
