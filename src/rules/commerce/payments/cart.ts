import type { Instant } from '../../../std/instant.ts'
import type { Addon, CarriedAddon } from '../catalog/addon.ts'
import type { LocalizedPrice } from '../catalog/localized-price.ts'
import { isRecurring } from '../catalog/price.ts'
import type { Product } from '../catalog/product.ts'
import type { TaxRow } from '../charges/tax-table.ts'
import type { Currency } from '../currency.ts'
import type { KeptDiscount, PaidDiscount } from '../discounts/discount.ts'
import { isFor, oneCycleOn } from '../discounts/discount.ts'
import type { Claim, Redemption } from '../discounts/redeem.ts'
import { redeemAll } from '../discounts/redeem.ts'
import type { OnDemandStart } from '../subscriptions/on-demand.ts'
import type { CartLine } from './cart-lines.ts'
import { itemLines } from './cart-lines.ts'
import type { Market } from './localized.ts'
import { currenciesOf, localized } from './localized.ts'
import { onDemandRejection } from './on-demand-cart.ts'
import type { AgreedPlan, PurchasedProduct } from './payment.ts'
import type { PaymentRejection } from './payment-rejection.ts'
import type { PaidLine, PurchaseTotals } from './priced-lines.ts'
import { discountedCart, totalled } from './priced-lines.ts'
import type { SalePlace } from './sale-place.ts'
import { ratesIn } from './sale-place.ts'

/** What is to be bought, and where. */
export interface Cart {
  readonly products: readonly PurchasedProduct[]
  readonly place: SalePlace
  /** What to pay in, where the products can be had in it; null: in that of the place. */
  readonly currency: Currency | null
  /** How a subscription on demand begins; null: none does. */
  readonly onDemand: OnDemandStart | null
}

/** Everything that a cart names, as far as it exists. */
export interface CartObjects {
  readonly products: ReadonlyMap<string, Product>
  readonly addons: ReadonlyMap<string, Addon>
  /** Of each product that has any, those that are not archived. */
  readonly prices: ReadonlyMap<string, readonly LocalizedPrice[]>
  /** What the business taxes in the country of the place. */
  readonly taxes: readonly TaxRow[]
  /** The codes, in the order in which they act. */
  readonly claims: readonly Claim[]
}

/** What a customer is about to pay. Money is in the currency's smallest unit. */
export interface PricedCart extends PurchaseTotals<PricedLine> {
  readonly currency: Currency
  /** Every currency in which all of it could be paid. */
  readonly currencies: readonly Currency[]
  readonly discounts: readonly PaidDiscount[]
  /** What the subscription among it is agreed on; null: there is none. */
  readonly agreed: AgreedPlan | null
}

export type PricedLine = CartLine & PaidLine

/**
 * Prices a cart: localized prices, add-ons, products' own discounts, then codes, then taxes.
 * Preview, creation, page and payment price by this one function, and a renewal by the same steps
 * (renewalCart()). Refuses products that cannot be bought together, quantities and amounts that do
 * not fit them, codes that do not hold, and totals that a JSON number cannot carry.
 * [resources#checkout-sessions, payments#what-a-purchase-costs]
 */
export function pricedCart(
  cart: Cart,
  objects: CartObjects,
  at: Instant,
): PricedCart | PaymentRejection {
  const { claims, taxes } = objects
  const { country, currency: wanted } = marketOf(cart, objects)
  const currencies = commonCurrencies(cart, objects, country)
  const chosen = wanted !== null && currencies.includes(wanted) ? wanted : null
  const priced = linesOf(cart, objects, { country, currency: chosen })
  if ('code' in priced) return priced
  const { addons, lines } = priced
  const [first] = lines
  if (first === undefined) {
    return { code: 'PRODUCT_CART_EMTPY', problem: 'product_cart must have at least one product.' }
  }
  const refusal = mixed(lines, first) ?? onDemandRejection(cart.onDemand, lines) ?? tooMuch(lines)
  if (refusal !== null) return refusal
  const { currency } = first
  const redeemed = redeemAll(
    claims,
    discountedCart(lines, { currency, onDemand: cart.onDemand !== null }),
    at,
  )
  if ('problem' in redeemed) return redeemed
  const rateOf = ratesIn(cart.place, taxes)
  const totals = totalled(lines, { redemptions: redeemed, owed: 0, rateOf })
  if (totals.total > most) return tooLarge
  const onDemand = cart.onDemand !== null
  const kept = keptOf(lines, { addons, redeemed, onDemand })
  return { ...totals, currency, currencies: onDemand ? [currency] : currencies, ...kept }
}

/** All lines, each product with its add-ons behind it. */
function linesOf(
  cart: Cart,
  { addons, prices, products }: CartObjects,
  market: Market,
): { readonly lines: CartLine[]; readonly addons: readonly CarriedAddon[] } | PaymentRejection {
  const { onDemand } = cart
  const lines: CartLine[] = []
  const carried: CarriedAddon[] = []
  for (const [index, item] of cart.products.entries()) {
    const product = products.get(item.productId)
    if (product === undefined) {
      return { code: 'NOT_FOUND', problem: `There is no product with the id '${item.productId}'.` }
    }
    const sold = localized(product, prices.get(item.productId) ?? [], market)
    const made = itemLines(item, sold, { addons, field: `product_cart[${index}]`, onDemand })
    if ('code' in made) return made
    lines.push(...made.lines)
    carried.push(...made.addons)
  }
  return { lines, addons: carried }
}

/**
 * On demand the seller names amounts, in one currency wherever the buyer is. The prices of a
 * country hold where they leave a currency for the whole cart, else none of them does.
 */
function marketOf(cart: Cart, objects: CartObjects): Market {
  const { currency, onDemand, place } = cart
  if (onDemand !== null) return { country: null, currency: onDemand.currency }
  const holds = commonCurrencies(cart, objects, place.country).length > 0
  return { country: holds ? place.country : null, currency }
}

/** Every currency in which each product, and each add-on, can be bought there. */
function commonCurrencies(
  cart: Cart,
  { addons, prices, products }: CartObjects,
  country: Market['country'],
): readonly Currency[] {
  const each = cart.products.flatMap((item) => {
    const product = products.get(item.productId)
    if (product === undefined) return []
    const own = currenciesOf(product, prices.get(item.productId) ?? [], country)
    const others = item.addons.flatMap(({ addonId }) => addons.get(addonId)?.currency ?? [])
    return [own, ...others.map((currency) => [currency])]
  })
  const [first = [], ...rest] = each
  return first.filter((currency) => rest.every((others) => others.includes(currency)))
}

/** What the payment, and the subscription that it starts, keep of what was agreed. */
function keptOf(
  lines: readonly CartLine[],
  of: {
    readonly addons: readonly CarriedAddon[]
    readonly redeemed: readonly Redemption[]
    readonly onDemand: boolean
  },
): Pick<PricedCart, 'agreed' | 'discounts'> {
  const plan = lines.find(({ addon, product }) => addon === null && isRecurring(product.price))
  const { addons, onDemand, redeemed } = of
  if (plan === undefined) {
    const discounts = redeemed.map(({ deduction, discount }) => ({
      discount,
      deduction,
      cyclesRemaining: null,
    }))
    return { agreed: null, discounts }
  }
  // A trial that codes do not lower is none of the payments that they count.
  const after = ({ discount }: Redemption): KeptDiscount => {
    const whole = { discount, cyclesRemaining: discount.subscriptionCycles }
    return plan.takesCodes ? oneCycleOn(whole) : whole
  }
  const { price, productId } = plan.product
  const staying = redeemed.filter(({ discount }) => isFor(discount, productId))
  return {
    agreed: { price, addons, discounts: staying.map(after), onDemand },
    discounts: redeemed.map((each) => ({ ...after(each), deduction: each.deduction })),
  }
}

/** What cannot be paid in one go. */
function mixed(lines: readonly CartLine[], first: CartLine): PaymentRejection | null {
  const { brandId } = first.product
  if (lines.some(({ product }) => product.brandId !== brandId)) {
    const problem = 'All products of product_cart must belong to one brand.'
    return { code: 'BRAND_MISMATCH', problem }
  }
  if (lines.some(({ currency }) => currency !== first.currency)) {
    const problem = 'All products and add-ons of product_cart must have prices in one currency.'
    return { code: 'UNSUPPORTED_BILLING_CURRENCY', problem }
  }
  const products = lines.filter(({ addon }) => addon === null)
  if (products.filter(({ product }) => isRecurring(product.price)).length > 1) {
    const problem = 'product_cart must have at most one product that is a subscription.'
    return { code: 'INVALID_REQUEST_BODY', problem }
  }
  const ids = products.map(({ itemId }) => itemId)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice === undefined) return null
  const problem = `product_cart has the product '${twice}' twice; use its quantity.`
  return { code: 'DUPLICATE_LINE_ITEMS_IN_REQUEST', problem }
}

/** Before anything is computed with them. */
function tooMuch(lines: readonly CartLine[]): PaymentRejection | null {
  const sum = (of: (line: CartLine) => number): number =>
    lines.reduce((all, line) => all + of(line), 0)
  const amounts = [sum(({ listed }) => listed), sum(({ original }) => original)]
  return amounts.every((amount) => amount <= most) ? null : tooLarge
}

/** Amounts of payments are 32-bit integers on the wire. [requests#numbers] */
export const most = 2 ** 31 - 1

const tooLarge: PaymentRejection = {
  code: 'INVALID_REQUEST_BODY',
  problem: `The total of product_cart must be at most ${most} of the currency's smallest unit.`,
}
