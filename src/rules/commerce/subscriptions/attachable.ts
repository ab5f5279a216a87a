import type { CreditEntitlement } from '../catalog/credit-entitlement.ts'
import type { Product } from '../catalog/product.ts'
import { deletedRejection } from '../catalog/product-rules.ts'
import type { Rejection } from '../catalog/rejection.ts'
import { firstOfEach } from '../catalog/rejection.ts'

/**
 * A product must not bring a deleted credit entitlement into a subscription. One of `carried` is in
 * it already, and lives on. [credits#deleted-entitlements]
 */
export function attachableRejection(
  product: Product,
  entitlements: ReadonlyMap<string, CreditEntitlement>,
  carried: readonly string[] = [],
): Rejection | null {
  const ids = product.creditEntitlements.map((mapping) => mapping.creditEntitlementId)
  const brought = ids.filter((id) => !carried.includes(id))
  return firstOfEach(brought, (id) => deletedRejection(id, entitlements))
}
