import type { CreditEntitlement } from '../../rules/commerce/catalog/credit-entitlement.ts'
import type { ClosedTo } from '../../rules/commerce/subscriptions/folding.ts'
import type { Page, Scope } from './scope.ts'

export interface CreditEntitlements {
  /** Null when there is none, or when it is deleted. */
  get(scope: Scope, creditEntitlementId: string): Promise<CreditEntitlement | null>

  /** Newest first: those that live, or with `deleted` those that are deleted. */
  list(scope: Scope, deleted: boolean, page: Page): Promise<readonly CreditEntitlement[]>

  /** Those of the ids that exist, deleted ones included. */
  many(
    scope: Scope,
    creditEntitlementIds: readonly string[],
  ): Promise<ReadonlyMap<string, CreditEntitlement>>

  /** Up to when nothing can be measured any more; null while that is unknown. */
  closedTo(scope: Scope): Promise<ClosedTo | null>
}
