import type { CreditEntitlement } from '../rules/commerce/catalog/credit-entitlement.ts'
import type { Customer } from '../rules/commerce/catalog/customer.ts'
import { isRecurring, metersOf } from '../rules/commerce/catalog/price.ts'
import type { Product } from '../rules/commerce/catalog/product.ts'
import type { PricedCart, PricedLine } from '../rules/commerce/payments/cart.ts'
import type { CheckoutSession } from '../rules/commerce/payments/checkout-session.ts'
import type { Payment, PurchasedProduct } from '../rules/commerce/payments/payment.ts'
import type { Started } from '../rules/commerce/subscriptions/start.ts'
import type { Meter } from '../rules/meter/meter.ts'
import { formatInstant } from '../std/instant.ts'

/** [resources#checkout-sessions] */
export interface CheckoutCreated {
  readonly session_id: string
  readonly checkout_url: string | null
  readonly client_secret: null
  readonly payment_id: string | null
  readonly publishable_key: null
}

/** [resources#checkout-sessions] */
export const checkoutCreated = (session: CheckoutSession, url: string): CheckoutCreated => ({
  session_id: session.sessionId,
  checkout_url: url,
  client_secret: null,
  payment_id: session.paymentId,
  publishable_key: null,
})

/** [resources#checkout-sessions] */
export type CheckoutStatus = ReturnType<typeof checkoutStatus>

/** [resources#checkout-sessions] */
export function checkoutStatus({
  session,
  payment,
  customer,
}: {
  readonly session: CheckoutSession
  readonly payment: Payment | null
  readonly customer: Customer | null
}) {
  const { customer: asked } = session.request
  const told = asked !== null && 'email' in asked ? asked : null
  return {
    id: session.sessionId,
    created_at: formatInstant(session.createdAt),
    customer_email: customer?.email ?? told?.email ?? null,
    customer_name: customer?.name ?? told?.name ?? null,
    payment_id: payment?.paymentId ?? null,
    payment_status: payment?.status ?? null,
  }
}

/** A cart as it would be charged, with everything that its answer names. */
export interface PreviewedCart {
  readonly cart: PricedCart
  readonly products: readonly PurchasedProduct[]
  readonly entitlements: ReadonlyMap<string, CreditEntitlement>
  readonly meters: ReadonlyMap<string, Meter>
  /** Null: not told; the answer has to name one all the same. */
  readonly country: string | null
  /** Of the product that is a subscription; null: there is none. */
  readonly started: Started | null
}

/** [resources#checkout-sessions] */
export type CheckoutPreview = ReturnType<typeof checkoutPreview>

/** [resources#checkout-sessions] */
export function checkoutPreview(previewed: PreviewedCart) {
  const { cart, country, started } = previewed
  const { discount, subtotal, tax, total } = cart
  return {
    billing_country: country ?? 'US',
    currency: cart.currency,
    current_breakup: { discount, subtotal, tax, total_amount: total },
    is_byop: false,
    next_billing_date: started === null ? null : formatInstant(started.nextBillingDate),
    product_cart: cart.lines.map((line) => productView(line, previewed)),
    recurring_breakup:
      started === null
        ? null
        : {
            discount: 0,
            subtotal: started.recurringPreTaxAmount,
            tax: 0,
            total_amount: started.recurringPreTaxAmount,
          },
    tax_id_business_name: null,
    tax_id_err_msg: null,
    tax_id_format_name: null,
    total_price: total,
    total_tax: tax,
    trial_amount: started === null || started.trialPeriodDays === 0 ? null : started.firstCharge,
    trial_period_days: started === null ? null : started.trialPeriodDays,
  }
}

function productView(
  line: PricedLine,
  { entitlements, meters, products }: Pick<PreviewedCart, 'entitlements' | 'meters' | 'products'>,
) {
  const { product, quantity, unit } = line
  const { price } = product
  const asked = products.find(({ productId }) => productId === product.productId)
  return {
    addons: null,
    credit_entitlements: product.creditEntitlements.map((mapping) => {
      const { creditEntitlementId: id, creditsAmount } = mapping
      return {
        credit_entitlement_id: id,
        credit_entitlement_name: entitlements.get(id)?.name ?? '',
        credit_entitlement_unit: entitlements.get(id)?.unit ?? '',
        credits_amount: asked?.credits[id] ?? creditsAmount,
      }
    }),
    currency: price.currency,
    description: product.description,
    discount_amount: line.undiscounted - line.amount,
    discount_cycle: null,
    discounted_price: unit.after,
    is_subscription: isRecurring(price),
    is_usage_based: price.type === 'usage_based_price',
    meters: metersView(product, meters),
    name: product.name,
    og_currency: price.currency,
    og_price: unit.before,
    product_id: product.productId,
    quantity,
    tax: line.tax,
    tax_category: product.taxCategory,
    tax_inclusive: price.taxInclusive ?? false,
    tax_rate: 0,
  }
}

const metersView = ({ price }: Product, meters: ReadonlyMap<string, Meter>) =>
  metersOf(price).flatMap((each) => {
    const meter = meters.get(each.meterId)
    if (meter === undefined) return []
    return [
      {
        description: meter.description,
        free_threshold: each.freeThreshold,
        measurement_unit: meter.measurementUnit,
        name: meter.name,
        price_per_unit: each.pricePerUnit ?? '0',
      },
    ]
  })
