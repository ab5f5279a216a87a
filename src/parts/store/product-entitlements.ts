import type {
  IntegrationType,
  ProductEntitlement,
} from '../../rules/commerce/entitlements/product-entitlement.ts'
import type { Page, Scope } from './scope.ts'

export interface ProductEntitlements {
  /** A deleted one, too. */
  get(scope: Scope, entitlementId: string): Promise<ProductEntitlement | null>

  /** Those that exist among these ids, deleted ones included, by id. */
  many(
    scope: Scope,
    entitlementIds: readonly string[],
  ): Promise<ReadonlyMap<string, ProductEntitlement>>

  /** Without deleted ones, newest first. Null: of any type. */
  list(
    scope: Scope,
    filter: { readonly type: IntegrationType | null },
    page: Page,
  ): Promise<readonly ProductEntitlement[]>
}
