import type {
  EntitlementGrant,
  EntitlementGrantStatus,
} from '../../rules/commerce/entitlements/entitlement-grant.ts'
import type { IntegrationType } from '../../rules/commerce/entitlements/product-entitlement.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Page, Scope } from './scope.ts'

/** Null: whatever it is. */
export interface GrantFilter {
  readonly entitlementId: string | null
  readonly customerId: string | null
  readonly status: EntitlementGrantStatus | null
  readonly type: IntegrationType | null
}

export interface EntitlementGrants {
  get(scope: Scope, grantId: string): Promise<EntitlementGrant | null>

  /** Whosever it is: for addresses that name no business. */
  find(mode: Mode, grantId: string): Promise<(Scope & { readonly grant: EntitlementGrant }) | null>

  /** Newest first. */
  list(scope: Scope, filter: GrantFilter, page: Page): Promise<readonly EntitlementGrant[]>

  /** The grants that payments or subscriptions have brought, oldest first. */
  broughtBy(
    scope: Scope,
    by: { readonly paymentIds: readonly string[]; readonly subscriptionIds: readonly string[] },
  ): Promise<readonly EntitlementGrant[]>
}
