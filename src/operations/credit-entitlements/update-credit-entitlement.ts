import { Fault, orNotFound, refuse } from '../../faults.ts'
import { limits } from '../../limits.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { changeTime } from '../../rules/commerce/catalog/change-time.ts'
import type {
  CreditEntitlement,
  EntitlementChange,
} from '../../rules/commerce/catalog/credit-entitlement.ts'
import { entitlementRejection, withLinks } from '../../rules/commerce/catalog/credit-entitlement.ts'
import type { Folded, Stretch } from '../../rules/meter/route.ts'
import { folded } from '../../rules/meter/route.ts'
import type { Instant } from '../../std/instant.ts'
import type { AccountNeeds } from '../accounts/change-accounts.ts'
import { settleAll } from '../accounts/settle-accounts.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import { inCatalogTurn } from '../meters/catalog-turn.ts'
import { nameTaken } from './name-taken.ts'

export interface UpdateCreditEntitlement extends AccountNeeds {
  readonly creditEntitlements: CreditEntitlements
  readonly meters: Meters
}

interface UpdatedEntitlement {
  readonly id: string
  readonly change: EntitlementChange
  readonly at: Instant
}

/**
 * Judges the state that the change leads to, and writes it only if the state before it still holds:
 * two changes may each be right and together be wrong. 404 also for a deleted one, 409 for a name
 * in use, 410 and 422 as when creating. [resources#credit-entitlements]
 */
export async function updateCreditEntitlement(
  needs: UpdateCreditEntitlement,
  scope: Scope,
  { id, change, at }: UpdatedEntitlement,
): Promise<void> {
  const { creditEntitlements, meters, changes } = needs
  const sent = change.meterLinks ?? []
  const linked = await meters.many(
    scope,
    sent.map((link) => link.meterId),
  )

  await untilWritten<undefined>(needs, 'update_credit_entitlement', async () => {
    const was = orNotFound(await creditEntitlements.get(scope, id), 'credit entitlement', id)

    const next = merged(was, change, at)
    refuse(entitlementRejection(next, { sent, meters: linked, before: was.meterLinks }))
    const { stretches, over } = await foldedLinks(creditEntitlements, scope, next)
    refuseTooManyLinks(was, stretches)

    // Settled first, because what was measured so far was used under the old terms.
    // [guarantees#determinism]
    if (!sameOverage(was, next)) await settleAll(needs, { ...scope, entitlementId: id })
    const row = { ...next, stretches }
    const changed = { noun: 'credit_entitlement', expected: was.updatedAt, row, over } as const
    const outcome = await inCatalogTurn(scope, () => changes.commit(rowAlone(scope, changed)))
    if (outcome === 'taken') throw nameTaken(next.name)
    return outcome === 'committed' ? undefined : lost
  })
}

/**
 * Takes out stretches that are over, so that what measuring holds does not grow with every change.
 */
async function foldedLinks(
  creditEntitlements: CreditEntitlements,
  scope: Scope,
  { stretches }: CreditEntitlement,
): Promise<Folded> {
  const closedTo = await creditEntitlements.closedTo(scope)
  return closedTo === null ? { stretches, over: [] } : folded(stretches, closedTo.at)
}

function refuseTooManyLinks(was: CreditEntitlement, { length }: readonly Stretch[]): void {
  if (length <= limits.linkStretchesMax || length <= was.stretches.length) return
  throw new Fault(
    'CONFLICT',
    `meter_links: they were changed ${limits.linkStretchesMax} times within the last hours, and stay as they are for now: try again later.`,
    { docs: 'meters#who-takes-the-usage' },
  )
}

const sameOverage = (a: CreditEntitlement, b: CreditEntitlement): boolean =>
  a.overageEnabled === b.overageEnabled &&
  a.overageLimit === b.overageLimit &&
  a.overageBehavior === b.overageBehavior

function merged(
  was: CreditEntitlement,
  { meterLinks, ...settings }: EntitlementChange,
  at: Instant,
): CreditEntitlement {
  const updatedAt = changeTime(was, at)
  const next = { ...was, ...settings, updatedAt }
  return meterLinks === undefined ? next : withLinks(next, meterLinks, updatedAt)
}
