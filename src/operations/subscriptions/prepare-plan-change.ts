import { orNotFound, unlessRefused } from '../../faults.ts'
import type { Collections } from '../../parts/store/collections.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import { countryOf } from '../../rules/commerce/country.ts'
import type { KeptDiscount } from '../../rules/commerce/discounts/discount.ts'
import { localized } from '../../rules/commerce/payments/localized.ts'
import type { ChangePaying, WantedChange } from '../../rules/commerce/payments/wanted-change.ts'
import { wantedChange } from '../../rules/commerce/payments/wanted-change.ts'
import type { PlanChangeRequest } from '../../rules/commerce/subscriptions/plan-change-request.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import { after, laterOf } from '../../std/instant.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { usageToBill } from '../boundaries/usage-bill.ts'
import type { Chargeable } from '../payment-methods/chargeable-method.ts'
import { chargeableMethod } from '../payment-methods/chargeable-method.ts'
import type { PricingNeeds } from '../payments/priced-purchase.ts'
import { anyPayment, claimsOf, pricesOf } from '../payments/priced-purchase.ts'
import { entitlementsOf } from './entitlements-of.ts'

export interface PlanChangeNeeds
  extends DueFirstNeeds,
    Pick<PricingNeeds, 'addons' | 'discounts' | 'localizedPrices'> {
  readonly collections: Pick<Collections, 'get'>
  readonly products: Products
  readonly creditEntitlements: CreditEntitlements
}

export interface PreparedPlan {
  readonly wanted: WantedChange
  /** What the change charges. */
  readonly method: Chargeable
}

/**
 * Loads what a plan change names, and what it is charged by. Refuses 404 for a product, 422 for an
 * unknown code, and what wantedChange() refuses.
 */
export async function preparePlanChange(
  needs: PlanChangeNeeds,
  scope: Scope,
  { before, request }: { readonly before: Subscription; readonly request: PlanChangeRequest },
): Promise<PreparedPlan> {
  const { customerId, paymentMethodId } = before
  const { addons, discountCodes, productId } = request
  const base = orNotFound(await needs.products.get(scope, productId), 'product', productId)
  const ids = addons.map(({ addonId }) => addonId)
  const [entitlements, product, found, collection, method, ahead] = await Promise.all([
    entitlementsOf(needs.creditEntitlements, scope, base),
    soldTo(needs, scope, { before, product: base }),
    ids.length === 0 ? new Map() : needs.addons.many(scope, ids),
    base.collectionId === null ? null : needs.collections.get(scope, base.collectionId),
    chargeableMethod(needs, scope, paymentMethodId),
    needs.businesses.clockAhead(scope),
  ])
  const claims =
    discountCodes && (await claimsOf(needs, scope, { buyer: { customerId }, discountCodes }))
  const wanted = wantedChange({
    before,
    request,
    product,
    entitlements,
    addons: found,
    claims,
    defaults: collection?.planChanges ?? null,
    paying: { ...(await payingBy(needs, scope, before)), hasMethod: method.token !== null },
    at: laterOf(after(needs.clock.now(), ahead), before.updatedAt),
    newId: needs.newId,
  })
  return { wanted: unlessRefused(wanted), method }
}

/** The product at its price in the subscription's currency and country, where it has one. */
async function soldTo(
  needs: PlanChangeNeeds,
  scope: Scope,
  { before, product }: { readonly before: Subscription; readonly product: Product },
): Promise<Product> {
  const prices = (await pricesOf(needs, scope, [product])).get(product.productId) ?? []
  const { billing, currency } = before
  const sold = localized(product, prices, { country: countryOf(billing.country), currency })
  return sold.price.currency === currency ? sold : product
}

async function payingBy(
  needs: PlanChangeNeeds,
  scope: Scope,
  before: Subscription,
): Promise<Omit<ChangePaying, 'hasMethod'>> {
  const country = countryOf(before.billing.country)
  const [taxes, usage, lowering] = await Promise.all([
    country === null ? [] : needs.charges.taxes(scope.businessId, country),
    usageToBill(needs, scope, before),
    loweringOf(needs, scope, before),
  ])
  return { taxes, usage, lowering }
}

/** Codes that have lowered what was paid last, and that the subscription still has. */
async function loweringOf(
  { payments }: PlanChangeNeeds,
  scope: Scope,
  { discounts, subscriptionId }: Subscription,
): Promise<readonly KeptDiscount[]> {
  if (discounts.length === 0) return []
  const paid = { ...anyPayment, subscriptionId, status: 'succeeded' } as const
  const [last] = await payments.list(scope, paid, { limit: 1, offset: 0 })
  const ids = last?.discounts.map(({ discount }) => discount.discountId) ?? []
  return discounts.filter(({ discount }) => ids.includes(discount.discountId))
}
