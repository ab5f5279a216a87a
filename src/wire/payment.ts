import type { Customer } from '../rules/commerce/catalog/customer.ts'
import type { Payment } from '../rules/commerce/payments/payment.ts'
import { formatInstant } from '../std/instant.ts'
import { customerLimitedDetails } from './subscription.ts'

/** [resources#payments] */
export type PaymentView = ReturnType<typeof paymentView>
/** [resources#payments] */
export type PaymentListItem = ReturnType<typeof paymentListItem>
/** [resources#payments] */
export type PaymentLinesView = ReturnType<typeof paymentLinesView>

/** [resources#payments] */
export const paymentView = (businessId: string, payment: Payment, customer: Customer) => ({
  ...common(payment, customer),
  billing: payment.billing,
  business_id: businessId,
  card_holder_name: payment.card?.holder ?? null,
  card_issuing_country: payment.card?.issuingCountry ?? null,
  card_type: payment.card?.type ?? null,
  checkout_session_id: payment.sessionId,
  custom_field_responses: payment.customFields.length === 0 ? null : payment.customFields,
  discount_id: null,
  discounts: null,
  disputes: [],
  error_code: payment.errorCode,
  error_message: payment.errorMessage,
  is_update_payment_method: false,
  payment_link: null,
  payment_method_id: null,
  product_cart: payment.products.map(({ productId, quantity }) => ({
    product_id: productId,
    quantity,
  })),
  refunds: [],
  retry_attempt: 0,
  settlement_amount: payment.totalAmount,
  settlement_currency: payment.currency,
  settlement_tax: payment.tax,
  tax: payment.tax,
  updated_at: formatInstant(payment.updatedAt),
})

/** [resources#payments] */
export const paymentListItem = (payment: Payment, customer: Customer) => ({
  ...common(payment, customer),
  dispute_status: null,
  has_license_key: false,
})

const common = (payment: Payment, customer: Customer) => ({
  brand_id: payment.brandId,
  card_last_four: payment.card?.lastFour ?? null,
  card_network: payment.card?.network ?? null,
  created_at: formatInstant(payment.createdAt),
  currency: payment.currency,
  customer: customerLimitedDetails(customer),
  digital_products_delivered: false,
  invoice_id: null,
  invoice_url: null,
  metadata: payment.metadata,
  payment_id: payment.paymentId,
  payment_method: payment.card === null ? null : ('card' as const),
  payment_method_type: payment.card?.type ?? null,
  // The contract knows three names, none of which is ours; this one says: not by name.
  payment_provider: 'dodo' as const,
  refund_status: null,
  status: payment.status,
  subscription_id: payment.subscriptionId,
  total_amount: payment.totalAmount,
})

/** [resources#payments] */
export const paymentLinesView = ({ currency, lines }: Payment) => ({
  currency,
  items: lines.map((line) => ({
    amount: line.amount + line.tax,
    description: line.description,
    items_id: line.itemId,
    name: line.name,
    refundable_amount: line.amount + line.tax,
    tax: line.tax,
  })),
})
