import type { Addons } from '../../parts/store/addons.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { metersOf } from '../../rules/commerce/catalog/price.ts'
import type { Product, ProductParts } from '../../rules/commerce/catalog/product.ts'

export interface ProductPartsNeeds {
  readonly addons: Pick<Addons, 'many'>
  readonly meters: Pick<Meters, 'many'>
  readonly creditEntitlements: Pick<CreditEntitlements, 'many'>
}

/** What products name: meters, entitlements and add-ons, archived and deleted ones included. */
export async function productParts(
  { addons, meters, creditEntitlements }: ProductPartsNeeds,
  scope: Scope,
  products: readonly Product[],
): Promise<ProductParts> {
  const meterIds = products.flatMap(({ price }) => metersOf(price).map((meter) => meter.meterId))
  const entitlementIds = products.flatMap((product) =>
    product.creditEntitlements.map((mapping) => mapping.creditEntitlementId),
  )
  const [metersNamed, entitlements, addonsNamed] = await Promise.all([
    meters.many(scope, meterIds),
    creditEntitlements.many(scope, entitlementIds),
    addons.many(
      scope,
      products.flatMap(({ addonIds }) => addonIds),
    ),
  ])
  return { meters: metersNamed, entitlements, addons: addonsNamed }
}
