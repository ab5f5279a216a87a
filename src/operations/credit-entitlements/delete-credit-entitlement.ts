import { notFound } from '../../faults.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Instant } from '../../std/instant.ts'

interface Target {
  readonly id: string
  readonly at: Instant
}

/**
 * Balances and grants stay; default links end. 404 for none, and for one that is deleted.
 * [credits#deleted-entitlements]
 */
export async function deleteCreditEntitlement(
  creditEntitlements: CreditEntitlements,
  scope: Scope,
  { id, at }: Target,
): Promise<void> {
  const done = await creditEntitlements.remove(scope, id, at)
  if (!done) throw notFound('credit entitlement', id)
}

/**
 * Makes everything as it was. 404 for none, and for one that is not deleted. [requests#refusals]
 */
export async function undeleteCreditEntitlement(
  creditEntitlements: CreditEntitlements,
  scope: Scope,
  { id, at }: Target,
): Promise<void> {
  const done = await creditEntitlements.restore(scope, id, at)
  if (!done) throw notFound('deleted credit entitlement', id)
}
