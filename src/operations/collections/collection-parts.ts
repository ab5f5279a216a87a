import type { Meters } from '../../parts/store/meters.ts'
import type { ProductEntitlements } from '../../parts/store/product-entitlements.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { CollectionGroup } from '../../rules/commerce/catalog/collection.ts'
import { metersOf } from '../../rules/commerce/catalog/price.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { ProductEntitlement } from '../../rules/commerce/entitlements/product-entitlement.ts'
import type { Meter } from '../../rules/meter/meter.ts'

export interface CollectionPartsNeeds {
  readonly products: Pick<Products, 'many'>
  readonly meters: Pick<Meters, 'many'>
  readonly productEntitlements: Pick<ProductEntitlements, 'many'>
}

/**
 * What is in groups of a collection: products, with the meters of their prices and what they bring.
 */
export async function collectionParts(
  { products, meters, productEntitlements }: CollectionPartsNeeds,
  scope: Scope,
  groups: readonly Pick<CollectionGroup, 'items'>[],
): Promise<{
  readonly products: ReadonlyMap<string, Product>
  readonly meters: ReadonlyMap<string, Meter>
  readonly entitlements: ReadonlyMap<string, ProductEntitlement>
}> {
  const ids = groups.flatMap(({ items }) => items.map(({ productId }) => productId))
  const found = await products.many(scope, ids)
  const meterIds = [...found.values()].flatMap(({ price }) =>
    metersOf(price).map(({ meterId }) => meterId),
  )
  const brought = [...found.values()].flatMap(({ entitlementIds }) => entitlementIds)
  return {
    products: found,
    meters: await meters.many(scope, meterIds),
    entitlements: await productEntitlements.many(scope, brought),
  }
}
