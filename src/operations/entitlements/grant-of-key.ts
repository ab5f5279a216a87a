import { Fault } from '../../faults.ts'
import type { EntitlementGrants } from '../../parts/store/entitlement-grants.ts'
import type { LicenseKeys } from '../../parts/store/license-keys.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { changeTime } from '../../rules/commerce/catalog/change-time.ts'
import { restoredGrant, revokedGrant } from '../../rules/commerce/entitlements/entitlement-grant.ts'
import type { LicenseKey } from '../../rules/commerce/licenses/license-key.ts'
import type { GrantObjectNeeds } from './grant-objects.ts'
import { grantObjects } from './grant-objects.ts'
import type { WrittenMoves } from './written-moves.ts'
import { writtenMoves } from './written-moves.ts'

export interface KeyGrantNeeds extends GrantObjectNeeds {
  readonly entitlementGrants: Pick<EntitlementGrants, 'get'>
  readonly licenseKeys: LicenseKeys
}

const nothing: WrittenMoves = { rows: [], facts: [] }

/**
 * What becomes of the grant of a key that its seller disables or enables: without a key that can be
 * used it is none, and with one it is given again.
 *
 * @throws Fault 409 for a key of a grant that was taken back otherwise [entitlements#revocation]
 */
export async function withGrant(
  needs: KeyGrantNeeds,
  scope: Scope,
  { was: before, row }: { readonly was: LicenseKey; readonly row: LicenseKey },
): Promise<WrittenMoves> {
  if (row.grantId === null || row.disabled === before.disabled) return nothing
  const was = await needs.entitlementGrants.get(scope, row.grantId)
  if (was === null) return nothing
  const objects = await grantObjects(needs, scope, { grants: [was] })
  const others = objects.keys.filter(({ licenseKeyId }) => licenseKeyId !== row.licenseKeyId)
  const known = { ...objects, keys: [row, ...others] }
  const time = row.updatedAt
  if (row.disabled) {
    if (was.status !== 'Delivered') return nothing
    // Of two that are disabled at once, the second one sees the first.
    if (others.some((key) => !key.disabled)) {
      const grant = { ...was, updatedAt: changeTime(was, time) }
      return writtenMoves({ grants: [{ was, grant }], keys: [] }, known)
    }
    const grant = revokedGrant(was, 'license_key_disabled', time)
    return writtenMoves({ grants: [{ was, grant }], keys: [] }, known)
  }
  if (was.status !== 'Revoked' || isPassing(was.revocationReason)) return nothing
  if (was.revocationReason !== 'license_key_disabled') {
    throw new Fault('CONFLICT', 'What this key was granted by has been taken back.')
  }
  const grant = restoredGrant(was, true, time)
  return writtenMoves({ grants: [{ was, grant }], keys: [] }, known)
}

/** While its subscription is interrupted, a key cannot be used, whatever its seller says. */
const isPassing = (reason: string | null): boolean =>
  reason === 'subscription_on_hold' || reason === 'SubscriptionPaused'
