import type { Meters } from '../../parts/store/meters.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { CollectionGroup } from '../../rules/commerce/catalog/collection.ts'
import { metersOf } from '../../rules/commerce/catalog/price.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { Meter } from '../../rules/meter/meter.ts'

export interface CollectionPartsNeeds {
  readonly products: Pick<Products, 'many'>
  readonly meters: Pick<Meters, 'many'>
}

/** What is in groups of a collection: products, and the meters of their prices. */
export async function collectionParts(
  { products, meters }: CollectionPartsNeeds,
  scope: Scope,
  groups: readonly Pick<CollectionGroup, 'items'>[],
): Promise<{
  readonly products: ReadonlyMap<string, Product>
  readonly meters: ReadonlyMap<string, Meter>
}> {
  const ids = groups.flatMap(({ items }) => items.map(({ productId }) => productId))
  const found = await products.many(scope, ids)
  const meterIds = [...found.values()].flatMap(({ price }) =>
    metersOf(price).map(({ meterId }) => meterId),
  )
  return { products: found, meters: await meters.many(scope, meterIds) }
}
