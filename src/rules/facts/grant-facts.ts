import type { Instant } from '../../std/instant.ts'
import type { StoredFile } from '../commerce/catalog/stored-file.ts'
import type { EntitlementGrant, GrantMove } from '../commerce/entitlements/entitlement-grant.ts'
import type { ProductEntitlement } from '../commerce/entitlements/product-entitlement.ts'
import type { LicenseKey } from '../commerce/licenses/license-key.ts'
import { licenseKeyFact } from './license-facts.ts'

/** A grant as it was when the fact happened, and what it gives. [webhooks#kinds] */
export interface GrantTold {
  readonly customerId: string
  readonly grant: EntitlementGrant
  readonly entitlement: ProductEntitlement
  readonly files: readonly StoredFile[]
  /** Its first; null: it has none. */
  readonly licenseKey: LicenseKey | null
  readonly at: Instant
}

export type GrantFactType = (typeof types)[EntitlementGrant['status']]

const types = {
  Pending: 'entitlement_grant.created',
  Delivered: 'entitlement_grant.delivered',
  Failed: 'entitlement_grant.failed',
  Revoked: 'entitlement_grant.revoked',
} as const

/** What is known beside grants. */
export interface GrantObjects {
  /** Deleted ones included. */
  readonly entitlements: ReadonlyMap<string, ProductEntitlement>
  readonly files: ReadonlyMap<string, StoredFile>
  /** Oldest first. */
  readonly keys: readonly LicenseKey[]
}

/**
 * What is told of grants that have moved: those that begin, the keys that they bring, and the rest.
 * One that is given at once was created, too; one that is to be given only later is told of then.
 * [webhooks#kinds]
 */
export function grantFacts(
  moves: readonly GrantMove[],
  keys: readonly { readonly was: LicenseKey | null; readonly key: LicenseKey }[],
  parts: GrantObjects,
) {
  const made = keys.filter(({ was }) => was === null).map(({ key }) => licenseKeyFact(key))
  const now = keys.map(({ key }) => key)
  const others = parts.keys.filter(
    (old) => !now.some((key) => key.licenseKeyId === old.licenseKeyId),
  )
  const known = { ...parts, keys: [...others, ...now] }
  const told = moves.flatMap((move) => factsOf(move, known))
  const begun = told.filter(({ type }) => type === types.Pending)
  return [...begun, ...made, ...told.filter(({ type }) => type !== types.Pending)]
}

function factsOf({ was, grant }: GrantMove, parts: GrantObjects) {
  const told = grantTold(grant, parts)
  const { status } = grant
  if (told === null || was?.status === status) return []
  const fact = { type: types[status], data: told } as const
  if (was !== null) return [fact]
  if (status === 'Revoked') return []
  const created = { type: types.Pending, data: told } as const
  return status === 'Pending' ? [created] : [created, fact]
}

/** What is told of a grant; null: its entitlement is gone. */
export function grantTold(grant: EntitlementGrant, parts: GrantObjects): GrantTold | null {
  const entitlement = parts.entitlements.get(grant.entitlementId)
  if (entitlement === undefined) return null
  const { config } = entitlement
  const ids = config.type === 'digital_files' ? config.fileIds : []
  return {
    customerId: grant.customerId,
    grant,
    entitlement,
    files: ids.flatMap((id) => parts.files.get(id) ?? []),
    licenseKey: parts.keys.find(({ grantId }) => grantId === grant.grantId) ?? null,
    at: grant.updatedAt,
  }
}
