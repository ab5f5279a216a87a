import { notFound, orNotFound } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { CreditEntitlement } from '../../rules/commerce/catalog/credit-entitlement.ts'
import {
  deletedEntitlement,
  undeletedEntitlement,
} from '../../rules/commerce/catalog/credit-entitlement.ts'
import type { Instant } from '../../std/instant.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'

export interface DeleteCreditEntitlement extends Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly creditEntitlements: CreditEntitlements
}

interface Target {
  readonly id: string
  readonly at: Instant
}

/**
 * Balances and grants stay; default links end. 404 for none, and for one that is deleted.
 * [credits#deleted-entitlements]
 */
export async function deleteCreditEntitlement(
  needs: DeleteCreditEntitlement,
  scope: Scope,
  { id, at }: Target,
): Promise<void> {
  await untilWritten<undefined>(needs, 'delete_credit_entitlement', async () => {
    const was = orNotFound(await needs.creditEntitlements.get(scope, id), 'credit entitlement', id)
    return written(needs, scope, { was, row: deletedEntitlement(was, at) })
  })
}

/**
 * Makes everything as it was. 404 for none, and for one that is not deleted. [requests#refusals]
 */
export async function undeleteCreditEntitlement(
  needs: DeleteCreditEntitlement,
  scope: Scope,
  { id, at }: Target,
): Promise<void> {
  await untilWritten<undefined>(needs, 'undelete_credit_entitlement', async () => {
    const was = (await needs.creditEntitlements.many(scope, [id])).get(id)
    if (was === undefined || was.deletedAt === null) {
      throw notFound('deleted credit entitlement', id)
    }
    return written(needs, scope, { was, row: undeletedEntitlement(was, at) })
  })
}

async function written(
  { changes }: DeleteCreditEntitlement,
  scope: Scope,
  { was, row }: { readonly was: CreditEntitlement; readonly row: CreditEntitlement },
): Promise<undefined | typeof lost> {
  const marked = { noun: 'credit_entitlement', expected: was.updatedAt, row, over: [] } as const
  const outcome = await changes.commit(rowAlone(scope, marked))
  return outcome === 'committed' ? undefined : lost
}
