import type { Product } from '../catalog/product.ts'
import type { TaxRow } from '../charges/tax-table.ts'
import type { DemandedCharge, OnDemandStart } from '../subscriptions/on-demand.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { CartLine } from './cart-lines.ts'
import type { PaymentRejection } from './payment-rejection.ts'
import type { PurchaseTotals } from './priced-lines.ts'
import { totalled } from './priced-lines.ts'
import { ratesIn, salePlace } from './sale-place.ts'

/**
 * Refuses what does not go with a subscription on demand: products that are bought once or billed
 * by their usage, add-ons, and a currency that the product has no price in.
 * [subscriptions#on-demand]
 */
export function onDemandRejection(
  onDemand: OnDemandStart | null,
  lines: readonly CartLine[],
): PaymentRejection | null {
  if (onDemand === null) return null
  const types = lines.map(({ product }) => product.price.type)
  if (types.includes('one_time_price')) {
    const problem = 'on_demand goes with a subscription alone: leave other products out.'
    return { code: 'ONE_TIME_PRODUCTS_NOT_ALLOWED_FOR_ON_DEMAND', problem }
  }
  if (types.includes('usage_based_price')) {
    const problem =
      'on_demand does not go with a usage-based product, which is billed by its usage.'
    return { code: 'ON_DEMAND_USAGE_BASED_BILLING_NOT_SUPPORTED', problem }
  }
  if (lines.some(({ addon }) => addon !== null)) {
    const problem = 'addons do not go with a subscription on demand: leave them out.'
    return { code: 'ADDONS_NOT_ALLOWED_FOR_ON_DEMAND', problem }
  }
  const other = lines.find(({ currency }) => (onDemand.currency ?? currency) !== currency)
  if (other === undefined) return null
  const problem = `on_demand.product_currency: the product '${other.itemId}' has no price in ${onDemand.currency}.`
  return { code: 'UNSUPPORTED_CURRENCY', problem }
}

/**
 * What a charge on demand comes to: its price, taxed as the subscription's plan is.
 * [subscriptions#on-demand, resources#taxes]
 */
export function demandedTotals(
  subscription: Pick<Subscription, 'billing' | 'productId' | 'taxId' | 'taxInclusive'>,
  { description, price }: DemandedCharge,
  of: {
    /** Null: it is gone. */
    readonly product: Pick<Product, 'description' | 'name' | 'taxCategory'> | null
    readonly taxes: readonly TaxRow[]
  },
): PurchaseTotals | PaymentRejection {
  const { billing, productId, taxId, taxInclusive } = subscription
  const product = of.product ?? { description: null, name: '', taxCategory: 'saas' as const }
  const line = {
    itemId: productId,
    productId,
    name: product.name,
    description: description ?? product.description,
    listed: price,
    original: price,
    price,
    takesCodes: false,
    taxCategory: product.taxCategory,
    taxInclusive,
  }
  const rateOf = ratesIn(salePlace(billing, taxId), of.taxes)
  const totals = totalled([line], { redemptions: [], owed: 0, rateOf })
  if (totals.total <= most) return totals
  const problem = `product_price with its tax must be at most ${most} of the currency's smallest unit.`
  return { code: 'INVALID_REQUEST_BODY', problem }
}

/** Amounts of payments are 32-bit integers on the wire. [requests#numbers] */
const most = 2 ** 31 - 1
