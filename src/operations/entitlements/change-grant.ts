import { Fault, notFound, orNotFound, refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import type { EntitlementGrants } from '../../parts/store/entitlement-grants.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type {
  EntitlementGrant,
  FulfilmentNews,
} from '../../rules/commerce/entitlements/entitlement-grant.ts'
import {
  afterFulfilment,
  restoredGrant,
} from '../../rules/commerce/entitlements/entitlement-grant.ts'
import type { GrantMoves } from '../../rules/commerce/entitlements/granting.ts'
import { licensedBy, revoked } from '../../rules/commerce/entitlements/granting.ts'
import { isThirdParty } from '../../rules/commerce/entitlements/product-entitlement.ts'
import type { LicenseKey } from '../../rules/commerce/licenses/license-key.ts'
import { issuedLicenseKey, licenseKeyRejection } from '../../rules/commerce/licenses/license-key.ts'
import type { GrantObjects } from '../../rules/facts/grant-facts.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { laterOf } from '../../std/instant.ts'
import type { Operation, Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { GrantObjectNeeds } from './grant-objects.ts'
import { grantObjects } from './grant-objects.ts'
import { writtenMoves } from './written-moves.ts'

export interface ChangeGrantNeeds extends GrantObjectNeeds, Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly entitlementGrants: EntitlementGrants
  readonly newId: NewId
}

/** A grant, and what it gives. */
export interface ShownGrant {
  readonly grant: EntitlementGrant
  readonly parts: GrantObjects
}

interface GrantTarget {
  readonly grantId: string
  readonly at: Instant
}

/**
 * Taking back what was taken back already changes nothing.
 *
 * @throws Fault 404 also for a grant of another entitlement [entitlements#revocation]
 */
export const revokeGrant = (
  needs: ChangeGrantNeeds,
  scope: Scope,
  { entitlementId, ...target }: GrantTarget & { readonly entitlementId: string },
): Promise<ShownGrant> =>
  changeGrant(needs, scope, {
    ...target,
    operation: 'revoke_grant',
    decide: ({ grant, parts }) => {
      if (grant.entitlementId !== entitlementId) throw notFound('grant', target.grantId)
      if (grant.status === 'Revoked') return null
      return revoked(grant, { keys: parts.keys, reason: 'manual' }, target.at)
    },
  })

/** A key that the seller gives out. Absent: as the entitlement says. */
export interface SellersKey {
  readonly key: string
  readonly activationsLimit: number | null | undefined
  readonly expiresAt: Instant | null | undefined
}

/**
 * Delivers a license key that the seller has made.
 *
 * @throws Fault 404; 409 for a grant that does not wait for one, and for a key that is there
 * already, whosever it is; 400 for an expiry of a subscription's key [entitlements#fulfilment]
 */
export const fulfilLicenseKey = (
  needs: ChangeGrantNeeds,
  scope: Scope,
  { grantId, at, given }: GrantTarget & { readonly given: SellersKey },
): Promise<ShownGrant> =>
  changeGrant(needs, scope, {
    grantId,
    at,
    operation: 'fulfil_grant',
    decide: ({ grant, parts }) => {
      const config = parts.entitlements.get(grant.entitlementId)?.config
      if (config?.type !== 'license_key' || grant.status !== 'Pending') {
        throw new Fault('CONFLICT', 'This grant does not wait for a license key.')
      }
      const time = laterOf(at, grant.updatedAt)
      const making = { licenseKeyId: needs.newId('lic'), key: given.key, at: time }
      const made = issuedLicenseKey(licensedBy(grant, config), making)
      refuse(licenseKeyRejection(made, { expiresAt: given.expiresAt ?? null }))
      const key: LicenseKey = {
        ...made,
        source: 'manual',
        activationsLimit:
          given.activationsLimit === undefined ? made.activationsLimit : given.activationsLimit,
        expiresAt: given.expiresAt === undefined ? made.expiresAt : given.expiresAt,
      }
      return {
        grants: [{ was: grant, grant: restoredGrant(grant, true, at) }],
        keys: [{ was: null, key }],
      }
    },
  })

/**
 * What a fulfilment endpoint says of a grant that somebody else delivers. The same again changes
 * nothing.
 *
 * @throws Fault 404; 409 for a grant that Sluice delivers itself, and for what cannot become of one
 * in its state [entitlements#fulfilment]
 */
export const hearOfGrant = (
  needs: ChangeGrantNeeds,
  scope: Scope,
  { grantId, at, news }: GrantTarget & { readonly news: FulfilmentNews },
): Promise<ShownGrant> =>
  changeGrant(needs, scope, {
    grantId,
    at,
    operation: 'fulfil_grant',
    decide: ({ grant }) => {
      if (!isThirdParty(grant.integrationType)) {
        throw new Fault('CONFLICT', `Sluice itself delivers a ${grant.integrationType}.`)
      }
      const after = afterFulfilment(grant, news, at)
      if (after === null) {
        const problem = `A grant that is ${grant.status} cannot become ${news.status}.`
        throw new Fault('CONFLICT', problem)
      }
      return after === grant ? null : { grants: [{ was: grant, grant: after }], keys: [] }
    },
  })

interface GrantChange extends GrantTarget {
  readonly operation: Operation
  /** What becomes of the grant as it is; null: nothing. Throws a Fault to refuse. */
  readonly decide: (shown: ShownGrant) => GrantMoves | null
}

function changeGrant(
  needs: ChangeGrantNeeds,
  scope: Scope,
  { operation, grantId, decide }: GrantChange,
): Promise<ShownGrant> {
  return untilWritten(needs, operation, async () => {
    const grant = orNotFound(await needs.entitlementGrants.get(scope, grantId), 'grant', grantId)
    const parts = await grantObjects(needs, scope, { grants: [grant] })
    const moves = decide({ grant, parts })
    if (moves === null) return { grant, parts }
    const { rows, facts } = writtenMoves(moves, parts)
    const [moved] = moves.grants
    const time = moved?.grant.updatedAt ?? grant.updatedAt
    const messages = facts.map((fact) => ({
      ...fact,
      messageId: needs.newId('msg'),
      at: time,
    }))
    const change = { scope, clockAhead: null, rows, accounts: [], facts: messages }
    const outcome = await needs.changes.commit(change)
    if (outcome === 'taken') {
      throw new Fault('CONFLICT', 'This license key is there already: give out another.')
    }
    if (outcome !== 'committed') return lost
    const keys = moves.keys.map(({ key }) => key)
    const others = parts.keys.filter(
      (old) => !keys.some(({ licenseKeyId }) => licenseKeyId === old.licenseKeyId),
    )
    return { grant: moved?.grant ?? grant, parts: { ...parts, keys: [...others, ...keys] } }
  })
}
