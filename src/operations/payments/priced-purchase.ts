import { Fault, refuse, unlessRefused } from '../../faults.ts'
import type { Addons } from '../../parts/store/addons.ts'
import type { Charges } from '../../parts/store/charges.ts'
import type { Discounts } from '../../parts/store/discounts.ts'
import type { LocalizedPrices } from '../../parts/store/localized-prices.ts'
import type { Payments } from '../../parts/store/payments.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { LocalizedPrice } from '../../rules/commerce/catalog/localized-price.ts'
import type { CatalogMetadata } from '../../rules/commerce/catalog/metadata.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { TaxRow } from '../../rules/commerce/charges/tax-table.ts'
import { codeInCapitals } from '../../rules/commerce/discounts/discount-rules.ts'
import type { Claim, Redeemer } from '../../rules/commerce/discounts/redeem.ts'
import { newcomer } from '../../rules/commerce/discounts/redeem.ts'
import type { Cart, PricedCart } from '../../rules/commerce/payments/cart.ts'
import { pricedCart } from '../../rules/commerce/payments/cart.ts'
import type { PurchasedObjects } from '../../rules/commerce/payments/purchase.ts'
import { deliverableRejection } from '../../rules/commerce/payments/purchase.ts'
import type { Instant } from '../../std/instant.ts'
import type { PurchasedNeeds } from './payment-needs.ts'
import { purchaseParts } from './payment-needs.ts'

export interface PricingNeeds extends PurchasedNeeds {
  readonly addons: Addons
  readonly charges: Charges
  readonly discounts: Discounts
  readonly localizedPrices: Pick<LocalizedPrices, 'active'>
  readonly payments: Payments
}

/** What is to be priced. */
export interface Purchase extends Cart {
  /** In the order in which they act, in any case. */
  readonly discountCodes: readonly string[]
  readonly metadata: CatalogMetadata
  /** Who buys: a customer, somebody who is none yet, or nobody knows who. */
  readonly buyer: { readonly customerId: string } | 'new' | 'unknown'
}

export interface PricedPurchase {
  readonly cart: PricedCart
  readonly parts: PurchasedObjects
  /** What the business taxes in the country of the place. */
  readonly taxes: readonly TaxRow[]
}

/**
 * What a purchase would be charged now. Preview, creation, page and payment price by this one
 * function, and so refuse alike: 404 an unknown product; 410 an archived one, or a deleted credit
 * entitlement; 422 a cart that cannot be paid in one go, or a code that does not hold; 400 one that
 * is used up. [resources#checkout-sessions, resources#redemption]
 */
export async function pricedPurchase(
  needs: PricingNeeds,
  scope: Scope,
  { purchase, at }: { readonly purchase: Purchase; readonly at: Instant },
): Promise<PricedPurchase> {
  const { place, products: items } = purchase
  const parts = await purchaseParts(needs, scope, items)
  const addonIds = items.flatMap(({ addons }) => addons.map(({ addonId }) => addonId))
  const [addons, prices, taxes, claims] = await Promise.all([
    needs.addons.many(scope, addonIds),
    pricesOf(needs, scope, [...parts.products.values()]),
    place.country === null ? [] : needs.charges.taxes(scope.businessId, place.country),
    claimsOf(needs, scope, purchase),
  ])
  const objects = { products: parts.products, addons, prices, taxes, claims }
  const cart = unlessRefused(pricedCart(purchase, objects, at))
  refuse(deliverableRejection(purchase, parts, at))
  refuse(metadataRejection(purchase.metadata))
  return { cart, parts, taxes }
}

/** Of each product that has any, the localized prices that are not archived. */
export async function pricesOf(
  { localizedPrices }: Pick<PricingNeeds, 'localizedPrices'>,
  scope: Scope,
  products: readonly Product[],
): Promise<ReadonlyMap<string, readonly LocalizedPrice[]>> {
  const priced = products.filter(({ pricingMode }) => pricingMode !== null)
  const each = priced.map(async ({ productId }) => {
    return [productId, await localizedPrices.active(scope, productId)] as const
  })
  return new Map(await Promise.all(each))
}

/** The codes with what is known of who redeems them. 422 for one that nobody has made. */
export async function claimsOf(
  needs: Pick<PricingNeeds, 'discounts' | 'payments'>,
  scope: Scope,
  { buyer, discountCodes }: Pick<Purchase, 'buyer' | 'discountCodes'>,
): Promise<readonly Claim[]> {
  return Promise.all(
    discountCodes.map(async (code) => {
      const discount = await needs.discounts.withCode(scope, codeInCapitals(code))
      if (discount === null) {
        throw new Fault('INVALID_DISCOUNT_CODE', `There is no discount with the code '${code}'.`)
      }
      return { discount, redeemer: await redeemerOf(needs, scope, { buyer, discount }) }
    }),
  )
}

async function redeemerOf(
  { discounts, payments }: Pick<PricingNeeds, 'discounts' | 'payments'>,
  scope: Scope,
  { buyer, discount }: Pick<Purchase, 'buyer'> & Pick<Claim, 'discount'>,
): Promise<Redeemer | null> {
  const { discountId } = discount
  if (buyer === 'unknown') return null
  if (buyer === 'new') return newcomer
  const { customerId } = buyer
  const succeeded = { ...anyPayment, customerId, status: 'succeeded' } as const
  const [paid, attached, uses] = await Promise.all([
    payments.list(scope, succeeded, { limit: 1, offset: 0 }),
    discounts.attached(scope, discountId, customerId),
    discounts.usesBy(scope, customerId, [discountId]),
  ])
  return {
    hasPaid: paid.length > 0,
    attached: attached !== null,
    uses: uses.get(discountId) ?? 0,
  }
}

/** All payments, for a list of some of them. */
export const anyPayment = {
  brandId: null,
  customerId: null,
  productId: null,
  subscriptionId: null,
  currency: null,
  status: null,
  disputeStatus: null,
  createdFrom: null,
  createdTo: null,
}
