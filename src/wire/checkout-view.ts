import type { CreditEntitlement } from '../rules/commerce/catalog/credit-entitlement.ts'
import type { Customer } from '../rules/commerce/catalog/customer.ts'
import { baseAmount, isRecurring, metersOf } from '../rules/commerce/catalog/price.ts'
import type { Product } from '../rules/commerce/catalog/product.ts'
import type { Discount } from '../rules/commerce/discounts/discount.ts'
import { isFor } from '../rules/commerce/discounts/discount.ts'
import type { PricedCart, PricedLine } from '../rules/commerce/payments/cart.ts'
import type { CheckoutSession } from '../rules/commerce/payments/checkout-session.ts'
import type { Payment, PurchasedProduct } from '../rules/commerce/payments/payment.ts'
import type { PurchaseTotals } from '../rules/commerce/payments/priced-lines.ts'
import type { JudgedTaxId } from '../rules/commerce/payments/sale-place.ts'
import type { Started } from '../rules/commerce/subscriptions/start.ts'
import type { Meter, Mode } from '../rules/meter/meter.ts'
import { formatInstant } from '../std/instant.ts'
import { clientSecretOf } from './payment-create.ts'

/** [resources#checkout-sessions] */
export interface CheckoutCreated {
  readonly session_id: string
  readonly checkout_url: string | null
  readonly client_secret: string | null
  readonly payment_id: string | null
  readonly publishable_key: string | null
}

/** [resources#checkout-sessions] */
export const checkoutCreated = (session: CheckoutSession, url: string | null): CheckoutCreated => ({
  session_id: session.sessionId,
  checkout_url: url,
  client_secret: null,
  payment_id: session.paymentId,
  publishable_key: null,
})

/**
 * The same of a session whose payment was made with it: with what a form of the seller's own would
 * say to pay it. The key names the business, and opens nothing. [resources#checkout-sessions]
 */
export const checkoutConfirmed = (
  { payment, session }: { readonly payment: Payment; readonly session: CheckoutSession },
  of: { readonly businessId: string; readonly mode: Mode; readonly url: string | null },
): CheckoutCreated => ({
  ...checkoutCreated(session, of.url),
  client_secret: clientSecretOf(payment, session),
  payment_id: payment.paymentId,
  publishable_key: `pk_${of.mode}_${of.businessId}`,
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
  /** The products at their base prices. */
  readonly sold: ReadonlyMap<string, Product>
  readonly entitlements: ReadonlyMap<string, CreditEntitlement>
  readonly meters: ReadonlyMap<string, Meter>
  /** Null: not told; the answer has to name one all the same. */
  readonly country: string | null
  readonly taxId: JudgedTaxId
  /** Of the product that is a subscription; null: there is none. */
  readonly started: Started | null
  readonly renewal: PurchaseTotals | null
}

/** [resources#checkout-sessions] */
export type CheckoutPreview = ReturnType<typeof checkoutPreview>

/** [resources#checkout-sessions] */
export function checkoutPreview(previewed: PreviewedCart) {
  const { cart, country, renewal, started, taxId } = previewed
  return {
    billing_country: country ?? 'US',
    currency: cart.currency,
    current_breakup: breakup(cart),
    is_byop: false,
    next_billing_date: started === null ? null : formatInstant(started.nextBillingDate),
    product_cart: cart.lines
      .filter(({ addon }) => addon === null)
      .map((line) => productView(line, previewed)),
    recurring_breakup: renewal === null ? null : breakup(renewal),
    // No registry of companies is asked.
    tax_id_business_name: null,
    tax_id_err_msg: taxId.problem === null ? null : `tax_id ${taxId.problem}.`,
    tax_id_format_name: taxId.format,
    total_price: cart.total,
    total_tax: cart.tax,
    trial_amount: trialAmountOf(cart, started),
    trial_period_days:
      started === null || started.trialPeriodDays === 0 ? null : started.trialPeriodDays,
  }
}

const breakup = ({ discount, subtotal, tax, total }: PurchaseTotals) => ({
  discount,
  subtotal,
  tax,
  total_amount: total,
})

/** Of one unit, after codes and before tax; null without a trial that costs something. */
function trialAmountOf({ lines }: PricedCart, started: Started | null): number | null {
  if (started === null || started.trialPeriodDays === 0) return null
  const line = lines.find(({ addon, product }) => addon === null && isRecurring(product.price))
  return line === undefined || line.original === 0 ? null : unitPrice(line)
}

const unitPrice = ({ coded, price, quantity }: PricedLine): number =>
  Math.round((price - coded) / quantity)

function productView(line: PricedLine, previewed: PreviewedCart) {
  const { product, quantity } = line
  const { cart, entitlements, meters, products, sold } = previewed
  const { price } = product
  const base = sold.get(product.productId)?.price ?? price
  const asked = products.find(({ productId }) => productId === product.productId)
  const isLocalized = base.currency !== price.currency
  return {
    addons: addonViews(cart, line),
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
    discount_amount: percentageOf(cart, product.productId)?.amount ?? null,
    discount_cycle: isRecurring(price)
      ? (percentageOf(cart, product.productId)?.subscriptionCycles ?? null)
      : null,
    discounted_price: unitPrice(line),
    is_subscription: isRecurring(price),
    is_usage_based: price.type === 'usage_based_price',
    meters: metersView(product, meters),
    name: product.name,
    og_currency: base.currency,
    og_price: isLocalized ? baseAmount(base) : line.unit,
    product_id: product.productId,
    quantity,
    tax: line.tax,
    tax_category: product.taxCategory,
    tax_inclusive: line.taxInclusive,
    tax_rate: percentRate(line),
  }
}

/** The first percentage that is for a product, or for add-ons. */
function percentageOf({ discounts }: PricedCart, productId: string | null): Discount | undefined {
  const found = discounts.find(({ discount }) => {
    const { restrictedTo, type } = discount
    const fits = productId === null ? restrictedTo.length === 0 : isFor(discount, productId)
    return type === 'percentage' && fits
  })
  return found?.discount
}

/** In percent. */
const percentRate = ({ taxRate }: PricedLine): number => taxRate / 10_000

function addonViews(cart: PricedCart, { product }: PricedLine) {
  const carried = cart.lines.flatMap((line) =>
    line.addon === null || line.product.productId !== product.productId
      ? []
      : [{ ...line, addon: line.addon }],
  )
  if (carried.length === 0) return null
  return carried.map(({ addon, ...line }) => ({
    addon_id: addon.addonId,
    currency: line.currency,
    description: addon.description,
    discount_amount: percentageOf(cart, null)?.amount ?? null,
    discounted_price: line.price - line.coded,
    name: addon.name,
    og_currency: addon.currency,
    og_price: line.original,
    quantity: line.quantity,
    single_quantity_price: line.unit,
    tax: line.tax,
    tax_category: addon.taxCategory,
    tax_inclusive: line.taxInclusive,
    tax_rate: percentRate({ ...line, addon }),
  }))
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
