import type { CreditEntitlement } from '../../rules/commerce/catalog/credit-entitlement.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

/** Whole rows are written by `Changes`; either way a change of default links moves the catalog's version. */
export interface CreditEntitlements {
  /** Null when there is none, or it is deleted. */
  get(scope: Scope, creditEntitlementId: string): Promise<CreditEntitlement | null>

  /** Newest first: those that live, or those that are deleted. */
  list(scope: Scope, deleted: boolean, page: Page): Promise<readonly CreditEntitlement[]>

  /** Those of the ids that exist, deleted ones included. */
  many(
    scope: Scope,
    creditEntitlementIds: readonly string[],
  ): Promise<ReadonlyMap<string, CreditEntitlement>>

  /**
   * The business's time that everything received before is measured, of halted partitions, too;
   * null while that cannot be told.
   */
  measuredTo(scope: Scope): Promise<Instant | null>

  /** False when there is none that lives. */
  remove(scope: Scope, creditEntitlementId: string, at: Instant): Promise<boolean>

  /** False when there is none that is deleted. */
  restore(scope: Scope, creditEntitlementId: string, at: Instant): Promise<boolean>
}
