import { limits } from '../../../limits.ts'
import { priceOfAddons } from '../catalog/addon.ts'
import type { Product } from '../catalog/product.ts'
import type { TaxRow } from '../charges/tax-table.ts'
import type { Currency } from '../currency.ts'
import type { KeptDiscount, PaidDiscount } from '../discounts/discount.ts'
import { holdsOn, oneCycleOn } from '../discounts/discount.ts'
import { takenAgain } from '../discounts/redeem.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { PaymentLine } from './payment.ts'
import type { PurchaseTotals, UnpricedLine } from './priced-lines.ts'
import { discountedCart, totalled } from './priced-lines.ts'
import { ratesIn, salePlace } from './sale-place.ts'

/** Usage that a renewal bills: one line a meter, rounded. [resources#prices] */
export interface UsageLine extends Pick<PaymentLine, 'itemId' | 'name' | 'description' | 'worth'> {
  /** In the currency's smallest unit, without tax or with it, as the plan's price is. */
  readonly price: number
}

export interface Renewing {
  /**
   * On the plan of the cycle that is paid: where a plan change waits for this moment, already on
   * the new one.
   */
  readonly subscription: Pick<
    Subscription,
    | 'addons'
    | 'billing'
    | 'currency'
    | 'discounts'
    | 'owed'
    | 'productId'
    | 'recurringPreTaxAmount'
    | 'taxId'
    | 'taxInclusive'
  >
  /** Whether no cycle follows, so that only what was used is charged. */
  readonly isLast?: boolean
  /** Its product as it is: it names the line, and its category says which tax there is. */
  readonly product: Pick<Product, 'description' | 'name' | 'taxCategory'>
  /** What the business taxes in the subscription's country. */
  readonly taxes: readonly TaxRow[]
  /** What is billed of the cycle that ends; empty where nothing is. */
  readonly usage: readonly UsageLine[]
}

/** What a renewal charges. Money is in the currency's smallest unit. */
export interface RenewalCart extends PurchaseTotals {
  readonly currency: Currency
  /** What is owed to the customer once this is charged; the subscription's, from then on. */
  readonly owed: number
  /** The subscription's discounts once this is charged, with the cycles that are left. */
  readonly discounts: readonly KeptDiscount[]
  /** Those that lower this charge, for its payment. */
  readonly paid: readonly PaidDiscount[]
}

/**
 * What a subscription is charged at its renewal: the plan's price times its quantity, its add-ons,
 * and usage; less the discounts that still hold, one after another, and what is owed to the
 * customer; and taxes on what is left. Preview and renewal charge by this one function. The same
 * function says what a trial's end charges, which is the first payment that discounts lower where
 * they did not lower the trial's.
 *
 * `total` is what is to be paid; with a total of 0 there is nothing to charge. `owed` and
 * `discounts` are the subscription's once the payment is made: write them with its success, or with
 * its attempt where a failure ends the cycle all the same. Codes do not lower usage.
 * [resources#redemption, resources#taxes, resources#plan-change-previews]
 */
export function renewalCart({
  isLast = false,
  product,
  subscription,
  taxes,
  usage,
}: Renewing): RenewalCart {
  const { billing, currency, discounts, owed, taxId } = subscription
  const lines = [
    ...(isLast ? [] : planLines(subscription, product)),
    ...payableUsage(usage).map((line) => usageLine(line, { product, subscription })),
  ]
  const holding = discounts.filter(holdsOn)
  const cart = discountedCart(lines, { currency, onDemand: false })
  const redemptions = takenAgain(
    holding.map(({ discount }) => discount),
    cart,
  )
  const rateOf = ratesIn(salePlace(billing, taxId), taxes)
  const totals = totalled(lines, { redemptions, owed, rateOf })
  const after = discounts.map((kept) => (holding.includes(kept) ? oneCycleOn(kept) : kept))
  return {
    ...totals,
    currency,
    owed: owed - Math.min(owed, dueBefore(lines, redemptions)),
    discounts: after,
    paid: holding.map((kept, index) => ({
      ...oneCycleOn(kept),
      deduction: redemptions[index]?.deduction ?? 0,
    })),
  }
}

/** What is due before what was owed pays a part of it. */
const dueBefore = (
  lines: readonly UnpricedLine[],
  redemptions: readonly { readonly deduction: number }[],
): number =>
  lines.reduce((all, { price }) => all + price, 0) -
  redemptions.reduce((all, { deduction }) => all + deduction, 0)

/** The plan, and each of its add-ons, for a whole cycle. */
export const planLines = (
  subscription: Renewing['subscription'],
  product: Renewing['product'],
): readonly UnpricedLine[] => [planLine(subscription, product), ...addonLines(subscription)]

function planLine(
  { addons, productId, recurringPreTaxAmount, taxInclusive }: Renewing['subscription'],
  { description, name, taxCategory }: Renewing['product'],
): UnpricedLine {
  const price = recurringPreTaxAmount - priceOfAddons(addons)
  const amounts = { listed: price, original: price, price }
  return {
    ...amounts,
    itemId: productId,
    productId,
    name,
    description,
    takesCodes: true,
    taxCategory,
    taxInclusive,
  }
}

const addonLines = ({
  addons,
  taxInclusive,
}: Pick<Subscription, 'addons' | 'taxInclusive'>): readonly UnpricedLine[] =>
  addons.map(({ addonId, description, name, price: each, quantity, taxCategory }) => {
    const price = each * quantity
    const amounts = { listed: price, original: price, price }
    return {
      ...amounts,
      itemId: addonId,
      productId: null,
      name,
      description,
      takesCodes: true,
      taxCategory,
      taxInclusive,
    }
  })

/**
 * As much of the usage as one charge can carry, line after line: an event may name any quantity,
 * and a cycle whose charge is no exact number could never end. [resources#money]
 */
export function payableUsage(usage: readonly UsageLine[]): readonly UsageLine[] {
  let left: number = limits.usageChargedMax
  return usage.map((line) => {
    const price = Math.min(line.price, left)
    left -= price
    return { ...line, price }
  })
}

export const usageLine = (
  { description, itemId, name, price, worth }: UsageLine,
  { product, subscription }: Pick<Renewing, 'product' | 'subscription'>,
): UnpricedLine => ({
  itemId,
  productId: null,
  name,
  description,
  listed: price,
  original: price,
  price,
  takesCodes: false,
  taxCategory: product.taxCategory,
  taxInclusive: subscription.taxInclusive,
  ...(worth !== undefined && { worth }),
})
