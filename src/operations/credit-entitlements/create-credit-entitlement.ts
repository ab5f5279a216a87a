import assert from 'node:assert/strict'
import { refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type {
  CreditEntitlement,
  WantedEntitlement,
} from '../../rules/commerce/catalog/credit-entitlement.ts'
import { entitlementRejection, withLinks } from '../../rules/commerce/catalog/credit-entitlement.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { nameTaken } from './name-taken.ts'

export interface CreateCreditEntitlement {
  readonly changes: Pick<Changes, 'commit'>
  readonly meters: Meters
  readonly newId: NewId
}

/**
 * Refuses 410 or 422 for meters that cannot be linked, 422 by [resources#credit-entitlements], 409
 * for a name in use.
 */
export async function createCreditEntitlement(
  { changes, meters, newId }: CreateCreditEntitlement,
  scope: Scope,
  { wanted, at }: { readonly wanted: WantedEntitlement; readonly at: Instant },
): Promise<CreditEntitlement> {
  const { meterLinks } = wanted
  const unlinked: CreditEntitlement = {
    ...wanted,
    creditEntitlementId: newId('cde'),
    meterLinks: [],
    stretches: [],
    deletedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  const entitlement = withLinks(unlinked, meterLinks, at)
  const linked = await meters.many(
    scope,
    meterLinks.map((link) => link.meterId),
  )
  refuse(entitlementRejection(entitlement, { sent: meterLinks, meters: linked, before: [] }))

  const made = { noun: 'credit_entitlement', expected: null, row: entitlement, over: [] } as const
  const outcome = await changes.commit(rowAlone(scope, made))
  if (outcome === 'taken') throw nameTaken(entitlement.name)
  assert(outcome === 'committed', 'A new credit entitlement has moved.')
  return entitlement
}
