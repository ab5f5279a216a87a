import { limits } from '../../../limits.ts'
import { addIntervals } from '../../../std/calendar.ts'
import type { Instant } from '../../../std/instant.ts'
import { changeTime } from '../catalog/change-time.ts'
import type { Product } from '../catalog/product.ts'
import type { ProductLicense } from '../catalog/product-license.ts'
import type { Rejection } from '../catalog/rejection.ts'
import { invalid } from '../catalog/rejection.ts'
import type { LicenseRejection } from './license-rejection.ts'

export const licenseKeyStatuses = ['active', 'expired', 'disabled'] as const
export type LicenseKeyStatus = (typeof licenseKeyStatuses)[number]

export const licenseKeySources = ['auto', 'import', 'manual'] as const
export type LicenseKeySource = (typeof licenseKeySources)[number]

/** What lets a program of a customer run. [licenses#license-keys] */
export interface LicenseKey {
  readonly licenseKeyId: string
  /** What the customer types in: one over all businesses of a mode. */
  readonly key: string
  readonly customerId: string
  readonly productId: string
  readonly brandId: string
  readonly paymentId: string | null
  readonly subscriptionId: string | null
  /** What its subscription lets it be, which alone says so; null: it has none. */
  readonly subscriptionState: 'active' | 'expired' | 'inactive' | null
  /** The grant of an entitlement that brought it; null: the product's own fields did. */
  readonly grantId: string | null
  readonly source: LicenseKeySource
  /** Null: there is no limit. */
  readonly activationsLimit: number | null
  /** How many instances it has. */
  readonly instancesCount: number
  /** Null: never by itself. */
  readonly expiresAt: Instant | null
  /** By the seller, a refund or a revocation. */
  readonly disabled: boolean
  readonly createdAt: Instant
  /** Rises with every change, and so distinguishes one state of the key from the next. */
  readonly updatedAt: Instant
}

/** A place where a key is in use. */
export interface LicenseKeyInstance {
  readonly instanceId: string
  readonly licenseKeyId: string
  readonly name: string
  readonly createdAt: Instant
}

/** What holds now, by the key itself, its subscription and the time. [licenses#license-keys] */
export function licenseKeyStatus(key: LicenseKey, at: Instant): LicenseKeyStatus {
  const { disabled, expiresAt, subscriptionState } = key
  if (disabled || subscriptionState === 'inactive') return 'disabled'
  if (subscriptionState === 'expired') return 'expired'
  return expiresAt !== null && at >= expiresAt ? 'expired' : 'active'
}

/** The fields to change; absent fields stay as they are. */
export type LicenseKeyChange = Partial<
  Pick<LicenseKey, 'activationsLimit' | 'disabled' | 'expiresAt'>
>

export function licenseKeyRejection(
  { instancesCount, subscriptionId }: LicenseKey,
  { activationsLimit, expiresAt }: LicenseKeyChange,
): LicenseRejection | null {
  if (subscriptionId !== null && (expiresAt ?? null) !== null) {
    return {
      code: 'NO_EXPIRY_ON_SUBSCRIPTION_LICENSE_KEYS',
      problem: 'The key lasts as long as its subscription: it has no expiry of its own.',
    }
  }
  if (activationsLimit === null || activationsLimit === undefined) return null
  if (activationsLimit >= instancesCount) return null
  return {
    code: 'ACTIVATION_LIMIT_LESS_THAN_CURRENT_AMOUNT',
    problem: `The key is in use ${instancesCount} times: activations_limit cannot be less.`,
  }
}

export const changedLicenseKey = (
  was: LicenseKey,
  change: LicenseKeyChange,
  at: Instant,
): LicenseKey => ({ ...was, ...change, updatedAt: changeTime(was, at) })

/** Why a key cannot be used in one more place; null: it can. [licenses#activation] */
export function activationRejection(key: LicenseKey, at: Instant): LicenseRejection | null {
  if (licenseKeyStatus(key, at) !== 'active') {
    return { code: 'INACTIVE_LICENSE_KEY', problem: 'This license key is not active.' }
  }
  if (key.activationsLimit === null || key.instancesCount < key.activationsLimit) return null
  return {
    code: 'LICENSE_KEY_LIMIT_REACHED',
    problem: 'This license key is in use as often as it may be: deactivate it elsewhere.',
  }
}

/** The key with one instance more, or less. */
export const counted = (key: LicenseKey, by: 1 | -1, at: Instant): LicenseKey => ({
  ...key,
  instancesCount: key.instancesCount + by,
  updatedAt: changeTime(key, at),
})

/** What a key is made for. */
export interface LicensedPurchase
  extends Pick<
    LicenseKey,
    'customerId' | 'productId' | 'brandId' | 'paymentId' | 'subscriptionId' | 'grantId'
  > {
  readonly terms: Pick<ProductLicense, 'activationsLimit' | 'duration'>
}

export interface KeyMaking {
  readonly licenseKeyId: string
  readonly key: string
  readonly at: Instant
}

/** Refuses more keys at once than one change should make. [licenses#license-keys] */
export function keysRejection(
  { entitlementIds, license }: Pick<Product, 'entitlementIds' | 'license'>,
  quantity: number,
): Rejection | null {
  const most = limits.licenseKeysAtOnceMax
  const bringsNone = !license.enabled && entitlementIds.length === 0
  if (bringsNone || quantity <= most) return null
  return invalid(
    `quantity must be at most ${most}: each unit of this product may bring a license key.`,
  )
}

/**
 * How many keys so many units bring at once. What was bought before its product came to bring keys
 * was refused no quantity, and what it pays must bring what can be brought.
 */
export const keyCountOf = (quantity: number): number =>
  Math.min(quantity, limits.licenseKeysAtOnceMax)

/** A key of a purchase. That of a subscription ends with it, whatever its terms say. */
export function issuedLicenseKey(
  { terms, ...purchase }: LicensedPurchase,
  { licenseKeyId, key, at }: KeyMaking,
): LicenseKey {
  const { duration } = terms
  const isLasting = purchase.subscriptionId !== null || duration === null
  return {
    ...purchase,
    licenseKeyId,
    key,
    subscriptionState: purchase.subscriptionId === null ? null : 'active',
    source: 'auto',
    activationsLimit: terms.activationsLimit,
    instancesCount: 0,
    expiresAt: isLasting ? null : addIntervals(at, duration, 1),
    disabled: false,
    createdAt: at,
    updatedAt: at,
  }
}
