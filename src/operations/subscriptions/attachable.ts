import { refuse } from '../../faults.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { CreditEntitlement } from '../../rules/commerce/catalog/credit-entitlement.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import { deletedRejection } from '../../rules/commerce/catalog/product-rules.ts'
import { firstOfEach } from '../../rules/commerce/catalog/rejection.ts'

/**
 * The credit entitlements of a product that a subscription is to carry. 410 for a deleted one,
 * unless it is one of `carried`: what lives goes on. [credits#deleted-entitlements]
 */
export async function attachable(
  creditEntitlements: CreditEntitlements,
  scope: Scope,
  of: { readonly product: Product; readonly carried?: readonly string[] },
): Promise<ReadonlyMap<string, CreditEntitlement>> {
  const { product, carried = [] } = of
  const ids = product.creditEntitlements.map((mapping) => mapping.creditEntitlementId)
  const entitlements = await creditEntitlements.many(scope, ids)
  const brought = ids.filter((id) => !carried.includes(id))
  refuse(firstOfEach(brought, (id) => deletedRejection(id, entitlements)))
  return entitlements
}
