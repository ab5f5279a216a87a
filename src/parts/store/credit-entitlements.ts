import type { CreditEntitlement } from '../../rules/commerce/catalog/credit-entitlement.ts'
import type { Folded } from '../../rules/meter/route.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

/** Every change of default links moves the catalog's version in the same statement. */
export interface CreditEntitlements {
  insert(scope: Scope, entitlement: CreditEntitlement): Promise<'inserted' | 'name_taken'>

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

  /**
   * Writes the whole entitlement if it is still as it was at `was` (its `updatedAt`). Of the
   * stretches that are over it keeps those that usage was measured under: accounts are loaded with
   * the ones of their own usage.
   */
  update(
    scope: Scope,
    entitlement: CreditEntitlement,
    of: { readonly was: Instant; readonly over: Folded['over'] },
  ): Promise<'updated' | 'moved' | 'name_taken'>

  /** False when there is none that lives. */
  remove(scope: Scope, creditEntitlementId: string, at: Instant): Promise<boolean>

  /** False when there is none that is deleted. */
  restore(scope: Scope, creditEntitlementId: string, at: Instant): Promise<boolean>
}
