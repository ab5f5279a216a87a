import type { Addon, CarriedAddon } from '../catalog/addon.ts'
import type { Price } from '../catalog/price.ts'
import { baseAmount, isRecurring } from '../catalog/price.ts'
import type { Product } from '../catalog/product.ts'
import type { Currency } from '../currency.ts'
import type { OnDemandStart } from '../subscriptions/on-demand.ts'
import { trialOf } from '../subscriptions/start.ts'
import { unitByBuyer } from './buyers-amount.ts'
import type { PurchasedProduct } from './payment.ts'
import type { PaymentRejection } from './payment-rejection.ts'
import type { UnpricedLine } from './priced-lines.ts'

/** A line of a cart: a product, or an add-on of the product before it. */
export interface CartLine extends UnpricedLine {
  /** At the price of its market. For an add-on, the product that carries it. */
  readonly product: Product
  /** Null: the product itself. */
  readonly addon: Addon | null
  readonly quantity: number
  /** Of one unit, before the product's own discount. */
  readonly unit: number
  readonly currency: Currency
}

export interface PricedItem {
  readonly lines: readonly CartLine[]
  readonly addons: readonly CarriedAddon[]
}

/** What one product of a cart and its add-ons cost, or why they cannot be bought. */
export function itemLines(
  item: PurchasedProduct,
  product: Product,
  of: {
    readonly addons: ReadonlyMap<string, Addon>
    readonly field: string
    /** How its subscription begins on demand; null: it does not. */
    readonly onDemand: OnDemandStart | null
  },
): PricedItem | PaymentRejection {
  const line = productLine(item, product, of)
  if ('code' in line) return line
  const carried = carriedAddons(item, product, { ...of, field: `${of.field}.` })
  if ('code' in carried) return carried
  const isTrial =
    isRecurring(product.price) && trialOf(product.price, item.trialPeriodDays) !== null
  const lines = carried.map(({ addon, quantity }) => addonLine(addon, quantity, { line, isTrial }))
  const addons = carried.map(carriedAddon)
  return { lines: [line, ...lines], addons }
}

function productLine(
  item: PurchasedProduct,
  product: Product,
  { field, onDemand }: { readonly field: string; readonly onDemand: OnDemandStart | null },
): CartLine | PaymentRejection {
  const { name, price, productId, taxCategory } = product
  const description = onDemand?.description ?? product.description
  if (product.archivedAt !== null) {
    const problem = `The product '${productId}' is archived and cannot be bought.`
    return { code: 'PRODUCT_IS_DELETED', problem }
  }
  const refusal = wrongCredits(item, product, field)
  if (refusal !== null) return refusal
  const demanded = demandedOf(onDemand)
  const unit = demanded ?? unitOf(item, price, field)
  if ('code' in unit) return unit
  // What is demanded is all that is charged, of however many.
  const times = demanded === null ? item.quantity : 1
  if (price.type === 'usage_based_price' && item.quantity !== 1) {
    const problem = `${field}.quantity must be 1: a usage-based product is billed by its usage.`
    return { code: 'INVALID_QUANTITY', problem }
  }
  return {
    product,
    addon: null,
    quantity: item.quantity,
    unit: unit.before,
    currency: price.currency,
    itemId: productId,
    productId,
    name,
    description,
    listed: Math.max(unit.before, isRecurring(price) ? baseAmount(price) : 0) * times,
    original: unit.before * times,
    price: unit.after * times,
    takesCodes: unit.takesCodes,
    taxCategory,
    taxInclusive: price.taxInclusive ?? false,
  }
}

export const carriedAddon = ({ addon, quantity }: Carried[number]): CarriedAddon => {
  const { addonId, description, name, price, taxCategory } = addon
  return { addonId, description, name, price, quantity, taxCategory }
}

/** In a trial add-ons cost nothing: they are paid with each payment period, which begins after. */
function addonLine(
  addon: Addon,
  quantity: number,
  { line, isTrial }: { readonly line: CartLine; readonly isTrial: boolean },
): CartLine {
  const price = isTrial ? 0 : addon.price * quantity
  return {
    product: line.product,
    addon,
    quantity,
    unit: addon.price,
    currency: addon.currency,
    itemId: addon.addonId,
    productId: null,
    name: addon.name,
    description: addon.description,
    listed: addon.price * quantity,
    original: price,
    price,
    takesCodes: true,
    taxCategory: addon.taxCategory,
    taxInclusive: line.taxInclusive,
  }
}

/** What a start on demand charges; null: what the product costs. [subscriptions#on-demand] */
function demandedOf(onDemand: OnDemandStart | null): Unit | null {
  const price = onDemand?.mandateOnly === true ? 0 : (onDemand?.price ?? null)
  return price === null ? null : { before: price, after: price, takesCodes: false }
}

interface Unit {
  readonly before: number
  readonly after: number
  readonly takesCodes: boolean
}

/**
 * What one costs, before and after the product's own discount: what the customer says, where the
 * product lets that be, and in a trial what the trial costs. [resources#prices]
 */
function unitOf(item: PurchasedProduct, price: Price, field: string): Unit | PaymentRejection {
  if (isRecurring(price)) {
    const trial = trialOf(price, item.trialPeriodDays)
    if (trial === null) return discounted(price)
    const takesCodes = price.type === 'recurring_price' && price.trialApplyDiscounts
    return { before: trial.amount, after: trial.amount, takesCodes: takesCodes && trial.amount > 0 }
  }
  if (!price.payWhatYouWant) return discounted(price)
  const wanted = unitByBuyer(item, price) ?? item.amount ?? price.suggestedPrice
  if (wanted === null) {
    const problem = `${field}.amount is missing: whoever buys this product says what to pay.`
    return { code: 'PAY_AS_YOU_WANT_AMOUNT_REQUIRED', problem }
  }
  if (wanted >= price.price) return { before: wanted, after: wanted, takesCodes: true }
  const problem = `${field}.amount must be at least ${price.price}, the least that this product costs.`
  return { code: 'REQUEST_AMOUNT_BELOW_MINIMUM', problem }
}

const discounted = (price: Price): Unit => {
  const before = baseAmount(price)
  return { before, after: discountedBy(before, price.discount), takesCodes: true }
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

type Carried = readonly { readonly addon: Addon; readonly quantity: number }[]

/**
 * The add-ons that are named exist, are among those that the product lists, and stand there once.
 * `field`: what a body has before `addons`.
 */
export function carriedAddons(
  item: Pick<PurchasedProduct, 'addons'>,
  { addonIds, price, productId }: Product,
  { addons, field }: { readonly addons: ReadonlyMap<string, Addon>; readonly field: string },
): Carried | PaymentRejection {
  const found: Carried[number][] = []
  for (const [index, { addonId, quantity }] of item.addons.entries()) {
    const where = `${field}addons[${index}]`
    const addon = addons.get(addonId)
    if (addon === undefined) {
      const problem = `${where}: there is no add-on with the id '${addonId}'.`
      return { code: 'MISSING_ADDON_IDS', problem }
    }
    if (found.some((other) => other.addon.addonId === addonId)) {
      const problem = `${where} names the add-on '${addonId}' a second time; use its quantity.`
      return { code: 'DUPLICATE_ADDON_IDS_IN_REQUEST', problem }
    }
    if (price.type === 'usage_based_price') {
      const problem = `${where}: add-ons do not go with a usage-based product.`
      return { code: 'ADDONS_IN_USAGE_BASED_BILLING_NOT_SUPPORTED', problem }
    }
    if (!addonIds.includes(addonId)) {
      const problem = `${where} names '${addonId}', which is not an add-on of the product '${productId}'.`
      return { code: 'MISSING_ADDON_IDS', problem }
    }
    found.push({ addon, quantity })
  }
  return found
}
