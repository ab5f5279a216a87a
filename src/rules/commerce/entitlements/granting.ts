import assert from 'node:assert/strict'
import { groupBy } from '../../../std/group.ts'
import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import type { LicenseKey } from '../licenses/license-key.ts'
import { changedLicenseKey, issuedLicenseKey, keyCountOf } from '../licenses/license-key.ts'
import type { EntitlementGrant, GrantMove, RevocationReason } from './entitlement-grant.ts'
import { restoredGrant, revokedGrant } from './entitlement-grant.ts'
import type { ProductEntitlement } from './product-entitlement.ts'
import { deliversItself } from './product-entitlement.ts'

/** When, and with what names. */
export interface GrantMoment {
  readonly at: Instant
  readonly newId: NewId
  readonly newKey: () => string
}

/** An entitlement that a product brings. */
export interface BroughtEntitlement {
  readonly entitlement: ProductEntitlement
  readonly productId: string
  readonly quantity: number
}

/** A license key before and after; null: it is new. */
export interface KeyMove {
  readonly was: LicenseKey | null
  readonly key: LicenseKey
}

/** What becomes of grants and of their license keys, in one change. */
export interface GrantMoves {
  readonly grants: readonly GrantMove[]
  readonly keys: readonly KeyMove[]
}

export const nothingGranted: GrantMoves = { grants: [], keys: [] }

export const movesOf = (all: readonly GrantMoves[]): GrantMoves => ({
  grants: all.flatMap(({ grants }) => grants),
  keys: all.flatMap(({ keys }) => keys),
})

/** For whom, and by what. */
export type GrantedPurchase = Pick<
  EntitlementGrant,
  'customerId' | 'brandId' | 'paymentId' | 'subscriptionId' | 'metadata'
>

/**
 * One grant for each entitlement of a purchase, however many of its products bring it, with a
 * license key for each unit, as far as keyCountOf() says. `waits`: it is to be given only when its subscription goes on.
 * [entitlements#grants]
 */
export function granted(
  purchase: GrantedPurchase,
  brought: readonly BroughtEntitlement[],
  { waits = null, ...moment }: GrantMoment & { readonly waits?: RevocationReason | null },
): GrantMoves {
  const byEntitlement = groupBy(brought, ({ entitlement }) => entitlement.entitlementId)
  return movesOf([...byEntitlement.values()].map(newGrant))

  function newGrant(all: readonly BroughtEntitlement[]): GrantMoves {
    const [first] = all
    assert(first !== undefined)
    const { entitlement, productId } = first
    const { at, newId } = moment
    const isDelivered = deliversItself(entitlement)
    const grant: EntitlementGrant = {
      ...purchase,
      grantId: newId('entg'),
      entitlementId: entitlement.entitlementId,
      integrationType: entitlement.config.type,
      productId,
      status: isDelivered ? 'Delivered' : 'Pending',
      revocationReason: null,
      errorCode: null,
      errorMessage: null,
      oauthUrl: null,
      oauthExpiresAt: null,
      deliveredAt: isDelivered ? at : null,
      revokedAt: null,
      createdAt: at,
      updatedAt: at,
    }
    if (waits !== null) {
      const lapsed = { status: 'Revoked', revocationReason: waits, revokedAt: at } as const
      return {
        grants: [{ was: null, grant: { ...grant, ...lapsed, deliveredAt: null } }],
        keys: [],
      }
    }
    const keyCount = all.reduce((sum, each) => sum + keyCountOf(each.quantity), 0)
    return {
      grants: [{ was: null, grant }],
      keys: issuedKeys({ grant, entitlement, keyCount }, moment),
    }
  }
}

/** The keys of a grant that Sluice makes; none, where it brings none. [licenses#license-keys] */
function issuedKeys(
  of: {
    readonly grant: EntitlementGrant
    readonly entitlement: ProductEntitlement
    readonly keyCount: number
  },
  { at, newId, newKey }: GrantMoment,
): readonly KeyMove[] {
  const { config } = of.entitlement
  if (config.type !== 'license_key' || config.fulfillment !== 'auto') return []
  return Array.from({ length: of.keyCount }, () => {
    const making = { licenseKeyId: newId('lic'), key: newKey(), at }
    return { was: null, key: issuedLicenseKey(licensedBy(of.grant, config), making) }
  })
}

/** Whose a key of a grant is, and by what terms. */
export const licensedBy = (
  { customerId, productId, brandId, paymentId, subscriptionId, grantId }: EntitlementGrant,
  terms: Parameters<typeof issuedLicenseKey>[0]['terms'],
): Parameters<typeof issuedLicenseKey>[0] => ({
  customerId,
  productId,
  brandId,
  paymentId,
  subscriptionId,
  grantId,
  terms,
})

/**
 * A grant that was taken back for one passing reason and stays so for another: under a plan that
 * does not bring it, its keys are disabled; under one that does, its subscription alone says so.
 */
export function revokedAnew(
  was: EntitlementGrant,
  of: { readonly keys: readonly LicenseKey[]; readonly reason: RevocationReason },
  at: Instant,
): GrantMoves {
  const isOff = !bySubscription.includes(of.reason)
  return {
    grants: [{ was, grant: revokedGrant(was, of.reason, at) }],
    keys: keysOf(was, of.keys).flatMap(switched(isOff, at)),
  }
}

/** Where the subscription alone says that a key cannot be used, the key stays as it is. */
const bySubscription: readonly RevocationReason[] = [
  'subscription_on_hold',
  'SubscriptionPaused',
  'subscription_cancelled',
  'subscription_expired',
]

/** A grant that lives, taken back with its keys. [entitlements#revocation] */
export function revoked(
  was: EntitlementGrant,
  of: { readonly keys: readonly LicenseKey[]; readonly reason: RevocationReason },
  at: Instant,
): GrantMoves {
  const grants = [{ was, grant: revokedGrant(was, of.reason, at) }]
  if (bySubscription.includes(of.reason)) return { grants, keys: [] }
  return { grants, keys: keysOf(was, of.keys).flatMap(switched(true, at)) }
}

/** A grant that was taken back, given again with its keys. [entitlements#revocation] */
export function restored(
  was: EntitlementGrant,
  of: {
    readonly keys: readonly LicenseKey[]
    readonly entitlement: ProductEntitlement
    readonly quantity: number
  },
  moment: GrantMoment,
): GrantMoves {
  const { at } = moment
  const { entitlement, quantity } = of
  const keys = keysOf(was, of.keys)
  const isDelivered =
    deliversItself(entitlement) || (entitlement.config.type === 'license_key' && keys.length > 0)
  const grant = restoredGrant(was, isDelivered, at)
  const known =
    keys.length > 0
      ? enabled()
      : issuedKeys({ grant, entitlement, keyCount: keyCountOf(quantity) }, moment)
  return { grants: [{ was, grant }], keys: known }

  /** A key that its seller disabled before stays so. */
  function enabled(): readonly KeyMove[] {
    return was.revocationReason === 'plan_changed' ? keys.flatMap(switched(false, at)) : []
  }
}

const keysOf = ({ grantId }: EntitlementGrant, keys: readonly LicenseKey[]) =>
  keys.filter((key) => key.grantId === grantId)

const switched =
  (disabled: boolean, at: Instant) =>
  (was: LicenseKey): readonly KeyMove[] =>
    was.disabled === disabled ? [] : [{ was, key: changedLicenseKey(was, { disabled }, at) }]
