import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { metersOf } from '../../rules/commerce/catalog/price.ts'
import type { Product, ProductParts } from '../../rules/commerce/catalog/product.ts'

export interface ProductPartsNeeds {
  readonly meters: Meters
  readonly creditEntitlements: CreditEntitlements
}

/** The meters and entitlements that products name, archived and deleted ones included. */
export async function productParts(
  { meters, creditEntitlements }: ProductPartsNeeds,
  scope: Scope,
  products: readonly Product[],
): Promise<ProductParts> {
  const meterIds = products.flatMap(({ price }) => metersOf(price).map((meter) => meter.meterId))
  const entitlementIds = products.flatMap((product) =>
    product.creditEntitlements.map((mapping) => mapping.creditEntitlementId),
  )
  const [metersNamed, entitlements] = await Promise.all([
    meters.many(scope, meterIds),
    creditEntitlements.many(scope, entitlementIds),
  ])
  return { meters: metersNamed, entitlements }
}
