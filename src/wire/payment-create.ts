import { limits } from '../limits.ts'
import type { Customer } from '../rules/commerce/catalog/customer.ts'
import type { CheckoutSession } from '../rules/commerce/payments/checkout-session.ts'
import { isOpened } from '../rules/commerce/payments/opened-payment.ts'
import type { Payment } from '../rules/commerce/payments/payment.ts'
import { settlesUntil } from '../rules/commerce/payments/settling-session.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import type { CheckoutCreate } from './checkout.ts'
import { email } from './customer.ts'
import { currencies } from './enums.ts'
import type { OneTimeItem } from './one-time-item.ts'
import { oneTimeItem } from './one-time-item.ts'
import { allowedMethodTypes } from './payment-method-types.ts'
import { flag, id, metadata, nullable, oneOf, text, url } from './schemas.ts'
import type { SubscriptionCreate } from './subscription.ts'
import { billing, customerLimitedDetails } from './subscription.ts'

/** The older way to be paid: a payment, rather than a session. [resources#payments] */
export interface PaymentCreate {
  readonly billing: SubscriptionCreate['billing']
  readonly customer: SubscriptionCreate['customer']
  readonly product_cart: readonly OneTimeItem[]
  readonly adaptive_currency_fees_inclusive?: boolean | null
  readonly allowed_payment_method_types?: readonly string[] | null
  readonly billing_currency?: string | null
  readonly customer_business_name?: string | null
  readonly discount_code?: string | null
  readonly discount_codes?: readonly string[] | null
  readonly force_3ds?: boolean | null
  readonly metadata?: CheckoutCreate['metadata']
  readonly payment_link?: boolean | null
  readonly payment_method_id?: string | null
  readonly redirect_immediately?: boolean | null
  readonly require_phone_number?: boolean | null
  readonly return_url?: string | null
  readonly short_link?: boolean | null
  readonly show_saved_payment_methods?: boolean | null
  readonly tax_id?: string | null
}

export const paymentCreate = schema<PaymentCreate>({
  type: 'object',
  required: ['billing', 'customer', 'product_cart'],
  properties: {
    billing,
    customer: {
      type: 'object',
      properties: {
        customer_id: nullable(id),
        email,
        name: nullable(text(1, limits.nameMax)),
        phone_number: nullable(text(1, limits.phoneNumberMax)),
      },
    },
    product_cart: { type: 'array', maxItems: 100, items: oneTimeItem },
    adaptive_currency_fees_inclusive: nullable(flag),
    allowed_payment_method_types: allowedMethodTypes,
    billing_currency: nullable(oneOf(currencies)),
    customer_business_name: nullable(text(1, 250)),
    discount_code: nullable(text(1, 255)),
    discount_codes: { type: ['array', 'null'], maxItems: 20, items: text(1, 255) },
    force_3ds: nullable(flag),
    metadata: nullable(metadata),
    payment_link: nullable(flag),
    payment_method_id: nullable(id),
    redirect_immediately: nullable(flag),
    require_phone_number: nullable(flag),
    return_url: nullable(url),
    short_link: nullable(flag),
    show_saved_payment_methods: nullable(flag),
    tax_id: nullable(text(1, 255)),
  },
})

/** The session that the same purchase would have. */
export const checkoutOfPayment = (body: PaymentCreate): CheckoutCreate => ({
  product_cart: body.product_cart,
  ...purchaseOf(body),
})

/** What a session of a purchase takes over from it, whatever is bought. */
export const purchaseOf = (
  body: Omit<PaymentCreate, 'product_cart'>,
): Omit<CheckoutCreate, 'product_cart'> => ({
  allowed_payment_method_types: body.allowed_payment_method_types ?? null,
  billing_address: body.billing,
  billing_currency: body.billing_currency ?? null,
  customer: body.customer,
  customer_business_name: body.customer_business_name ?? null,
  discount_code: body.discount_code ?? null,
  discount_codes: body.discount_codes ?? null,
  feature_flags: {
    require_phone_number: body.require_phone_number ?? false,
    ...(body.redirect_immediately == null
      ? {}
      : { redirect_immediately: body.redirect_immediately }),
  },
  force_3ds: body.force_3ds ?? null,
  metadata: body.metadata ?? null,
  payment_method_id: body.payment_method_id ?? null,
  return_url: body.return_url ?? null,
  short_link: body.short_link ?? null,
  show_saved_payment_methods: body.show_saved_payment_methods ?? null,
  tax_id: body.tax_id ?? null,
})

/**
 * The saved method that a body wants charged at once; null: none. A problem where it says not
 * whose, or where the purchase is not complete. [payments#payments-without-a-session]
 */
export function methodToCharge(
  body: CheckoutCreate,
  isComplete: boolean,
): string | { readonly problem: string } | null {
  const id = body.payment_method_id ?? null
  if (id === null) return null
  if (body.customer?.customer_id == null) {
    return { problem: 'payment_method_id needs customer.customer_id.' }
  }
  return isComplete ? id : { problem: 'payment_method_id needs confirm: true.' }
}

/** A payment that waits to be paid, and the session by which that happens. */
interface PaymentToPay {
  readonly payment: Payment
  readonly session: CheckoutSession
  readonly customer: Customer
}

/** [resources#payments] */
export type PaymentCreated = ReturnType<typeof paymentCreated>

/** [resources#payments] */
export const paymentCreated = ({ payment, session, customer }: PaymentToPay) => ({
  ...waysToPay({ payment, session }),
  client_secret: clientSecretOf(payment, session),
  customer: customerLimitedDetails(customer),
  discount_id: payment.discounts[0]?.discount.discountId ?? null,
  discount_ids:
    payment.discounts.length === 0
      ? null
      : payment.discounts.map(({ discount }) => discount.discountId),
  metadata: payment.metadata,
  payment_id: payment.paymentId,
  product_cart: payment.products.map(({ productId, quantity, amount }) => ({
    product_id: productId,
    quantity,
    amount,
  })),
  total_amount: payment.totalAmount,
})

/** How a payment that waits can be paid, and until when. */
export const waysToPay = ({ payment, session }: Omit<PaymentToPay, 'customer'>) => ({
  expires_on: isOpened(payment) ? formatInstant(session.expiresAt) : null,
  payment_link: isOpened(payment) ? payment.paymentLink : null,
})

/**
 * What a payment form of the seller's own would say to pay this payment: it names the session, and
 * lets nobody do more than its page does.
 */
export const clientSecretOf = (
  { paymentId }: Pick<Payment, 'paymentId'>,
  { sessionId }: Pick<CheckoutSession, 'sessionId'>,
): string => `${paymentId}_secret_${sessionId}`

/**
 * How a payment that waits on a page can be paid; nulls: it does not. [payments#settling-sessions]
 */
export function waysToSettle(payment: Payment | null, paymentId: string | null) {
  const waits = payment !== null && isOpened(payment) && payment.sessionId !== null
  const session = waits ? { sessionId: payment.sessionId ?? '' } : null
  return {
    client_secret: payment === null || session === null ? null : clientSecretOf(payment, session),
    expires_on: payment === null || session === null ? null : formatInstant(settlesUntil(payment)),
    payment_id: paymentId,
    payment_link: payment?.paymentLink ?? null,
  }
}

/** Whether the answer is to have the address of a page. */
export const asksForLink = (body: { readonly payment_link?: boolean | null }): boolean =>
  body.payment_link === true
