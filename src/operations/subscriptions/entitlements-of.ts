import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { CreditEntitlement } from '../../rules/commerce/catalog/credit-entitlement.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'

/** The credit entitlements that a product maps, deleted ones included. */
export const entitlementsOf = (
  creditEntitlements: CreditEntitlements,
  scope: Scope,
  product: Product,
): Promise<ReadonlyMap<string, CreditEntitlement>> =>
  creditEntitlements.many(
    scope,
    product.creditEntitlements.map((mapping) => mapping.creditEntitlementId),
  )
