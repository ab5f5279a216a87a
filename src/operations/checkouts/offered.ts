import { Fault, orNotFound, refuse } from '../../faults.ts'
import type { Collections } from '../../parts/store/collections.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { productIdsOnSale } from '../../rules/commerce/catalog/collection-on-sale.ts'
import { archivedCollectionRejection } from '../../rules/commerce/catalog/collection-rules.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { CheckoutRequest } from '../../rules/commerce/payments/checkout-session.ts'

export interface OfferNeeds {
  readonly collections: Pick<Collections, 'get'>
  readonly products: Products
}

/**
 * The products among which the buyer of a session chooses, in their order; none where the session
 * was told what is bought. Refuses: 404 an unknown collection; 410 an archived one; 422 one that
 * shows nothing that could be bought. [payments#collections]
 */
export async function offeredProducts(
  { collections, products }: OfferNeeds,
  scope: Scope,
  { collectionId }: Pick<CheckoutRequest, 'collectionId'>,
): Promise<readonly Product[]> {
  if (collectionId === null) return []
  const found = await collections.get(scope, collectionId)
  const collection = orNotFound(found, 'product collection', collectionId)
  refuse(archivedCollectionRejection(collection))
  const ids = productIdsOnSale(collection)
  const known = await products.many(scope, ids)
  const offered = ids.flatMap((id) => {
    const product = known.get(id)
    return product === undefined || product.archivedAt !== null ? [] : [product]
  })
  if (offered.length > 0) return offered
  const problem = `product_collection_id: '${collectionId}' shows no product that could be bought.`
  throw new Fault('INVALID_REQUEST_BODY', problem)
}
