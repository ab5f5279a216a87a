import type { Price } from '../catalog/price.ts'
import { baseAmount, isRecurring } from '../catalog/price.ts'
import type { Product } from '../catalog/product.ts'
import type { Currency } from '../currency.ts'
import { trialOf } from '../subscriptions/start.ts'
import type { PaymentLine, PurchasedProduct } from './payment.ts'
import type { PaymentRejection } from './payment-rejection.ts'

/** What a customer is about to pay. Money is in the currency's smallest unit. */
export interface PricedCart {
  readonly currency: Currency
  readonly lines: readonly PricedLine[]
  readonly subtotal: number
  readonly discount: number
  readonly tax: number
  readonly total: number
}

export interface PricedLine extends PaymentLine {
  readonly product: Product
  readonly quantity: number
  /** Of all units, before the product's own discount. */
  readonly undiscounted: number
  /** Of one unit, before and after the product's own discount. */
  readonly unit: { readonly before: number; readonly after: number }
}

/**
 * Prices a cart. Refuses products that cannot be bought together, quantities and amounts that do
 * not fit them, and totals that a JSON number cannot carry. [resources#checkout-sessions]
 */
export function pricedCart(
  cart: readonly PurchasedProduct[],
  products: ReadonlyMap<string, Product>,
): PricedCart | PaymentRejection {
  const lines: PricedLine[] = []
  for (const [index, item] of cart.entries()) {
    const field = `product_cart[${index}]`
    const product = products.get(item.productId)
    if (product === undefined) {
      return { code: 'NOT_FOUND', problem: `There is no product with the id '${item.productId}'.` }
    }
    const line = pricedLine(item, product, field)
    if ('code' in line) return line
    lines.push(line)
  }
  const [first] = lines
  if (first === undefined) {
    return { code: 'PRODUCT_CART_EMTPY', problem: 'product_cart must have at least one product.' }
  }
  return mixed(lines, first) ?? summed(lines, first.product.price.currency)
}

function pricedLine(
  item: PurchasedProduct,
  product: Product,
  field: string,
): PricedLine | PaymentRejection {
  if (product.archivedAt !== null) {
    const problem = `The product '${product.productId}' is archived and cannot be bought.`
    return { code: 'PRODUCT_IS_DELETED', problem }
  }
  const refusal = wrongCredits(item, product, field)
  if (refusal !== null) return refusal
  const unit = unitOf(item, product.price, field)
  if ('code' in unit) return unit
  if (product.price.type === 'usage_based_price' && item.quantity !== 1) {
    const problem = `${field}.quantity must be 1: a usage-based product is billed by its usage.`
    return { code: 'INVALID_QUANTITY', problem }
  }
  return {
    product,
    quantity: item.quantity,
    itemId: product.productId,
    name: product.name,
    description: product.description,
    undiscounted: unit.before * item.quantity,
    amount: unit.after * item.quantity,
    tax: 0,
    unit,
  }
}

/**
 * What one costs, before and after the product's own discount: what the customer says, where the
 * product lets that be, and in a trial what the trial costs. [resources#prices]
 */
function unitOf(
  item: PurchasedProduct,
  price: Price,
  field: string,
): PricedLine['unit'] | PaymentRejection {
  if (isRecurring(price)) {
    const trial = trialOf(price, item.trialPeriodDays)
    return trial === null ? discounted(price) : { before: trial.amount, after: trial.amount }
  }
  if (!price.payWhatYouWant) return discounted(price)
  const wanted = item.amount ?? price.suggestedPrice
  if (wanted === null) {
    const problem = `${field}.amount is missing: whoever buys this product says what to pay.`
    return { code: 'PAY_AS_YOU_WANT_AMOUNT_REQUIRED', problem }
  }
  if (wanted >= price.price) return { before: wanted, after: wanted }
  const problem = `${field}.amount must be at least ${price.price}, the least that this product costs.`
  return { code: 'REQUEST_AMOUNT_BELOW_MINIMUM', problem }
}

const discounted = (price: Price): PricedLine['unit'] => {
  const before = baseAmount(price)
  return { before, after: discountedBy(before, price.discount) }
}

/** Rounded half up to the smallest unit. [resources#prices] */
const discountedBy = (amount: number, percent: number): number =>
  Number((BigInt(amount) * BigInt(100 - percent) + 50n) / 100n)

function wrongCredits(
  { credits }: PurchasedProduct,
  { creditEntitlements, productId }: Product,
  field: string,
): PaymentRejection | null {
  const attached = creditEntitlements.map((each) => each.creditEntitlementId)
  const other = Object.keys(credits).find((id) => !attached.includes(id))
  if (other === undefined) return null
  const problem = `${field}.credit_entitlements names '${other}', which is not attached to the product '${productId}'.`
  return { code: 'INVALID_REQUEST_BODY', problem }
}

/** What cannot be paid in one go. */
function mixed(lines: readonly PricedLine[], first: PricedLine): PaymentRejection | null {
  const { brandId, price } = first.product
  if (lines.some(({ product }) => product.brandId !== brandId)) {
    const problem = 'All products of product_cart must belong to one brand.'
    return { code: 'BRAND_MISMATCH', problem }
  }
  if (lines.some(({ product }) => product.price.currency !== price.currency)) {
    const problem = 'All products of product_cart must have prices in one currency.'
    return { code: 'UNSUPPORTED_BILLING_CURRENCY', problem }
  }
  if (lines.filter(({ product }) => isRecurring(product.price)).length > 1) {
    const problem = 'product_cart must have at most one product that is a subscription.'
    return { code: 'INVALID_REQUEST_BODY', problem }
  }
  const ids = lines.map(({ itemId }) => itemId)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice === undefined) return null
  const problem = `product_cart has the product '${twice}' twice; use its quantity.`
  return { code: 'DUPLICATE_LINE_ITEMS_IN_REQUEST', problem }
}

function summed(lines: readonly PricedLine[], currency: Currency): PricedCart | PaymentRejection {
  const sum = (of: (line: PricedLine) => number): number =>
    lines.reduce((all, line) => all + of(line), 0)
  const subtotal = sum((line) => line.undiscounted)
  const tax = sum((line) => line.tax)
  const total = sum((line) => line.amount) + tax
  if (!lines.every(fits) || subtotal > most || total > most) {
    const problem = `The total of product_cart must be at most ${most} of the currency's smallest unit.`
    return { code: 'INVALID_REQUEST_BODY', problem }
  }
  return { currency, lines, subtotal, discount: subtotal + tax - total, tax, total }
}

const fits = ({ undiscounted }: PricedLine): boolean => undiscounted <= most

/** Amounts of payments are 32-bit integers on the wire. [requests#numbers] */
const most = 2 ** 31 - 1
