import { orNotFound, refuse } from '../../faults.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import { archivedRejection } from '../../rules/commerce/catalog/product-change.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'

export interface ProductOnSaleNeeds {
  readonly businesses: Pick<Businesses, 'clockAhead'>
  readonly clock: Pick<Clock, 'now'>
  readonly products: Pick<Products, 'find'>
}

/**
 * The product that a person wants to buy by its id alone, whose it is, and that business's time.
 * Refuses: 404 an unknown product; 410 an archived one. [payments#static-checkout]
 */
export async function productOnSale(
  { businesses, clock, products }: ProductOnSaleNeeds,
  mode: Mode,
  productId: string,
): Promise<{ readonly scope: Scope; readonly product: Product; readonly at: Instant }> {
  const found = orNotFound(await products.find(mode, productId), 'product', productId)
  const { product, businessId } = found
  refuse(archivedRejection(product))
  const scope: Scope = { businessId, mode }
  return { scope, product, at: after(clock.now(), await businesses.clockAhead(scope)) }
}
