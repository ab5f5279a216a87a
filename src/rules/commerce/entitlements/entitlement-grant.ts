import type { Instant } from '../../../std/instant.ts'
import { changeTime } from '../catalog/change-time.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'
import type { IntegrationType } from './product-entitlement.ts'

export const grantStatuses = ['Pending', 'Delivered', 'Failed', 'Revoked'] as const
export type EntitlementGrantStatus = (typeof grantStatuses)[number]

export const revocationReasons = [
  'subscription_cancelled',
  'subscription_on_hold',
  'SubscriptionPaused',
  'subscription_expired',
  'plan_changed',
  'refund',
  'manual',
  'license_key_disabled',
  'platform_external',
] as const
export type RevocationReason = (typeof revocationReasons)[number]

/** What a purchase gives its customer of an entitlement. [entitlements#grants] */
export interface EntitlementGrant {
  readonly grantId: string
  readonly entitlementId: string
  readonly integrationType: IntegrationType
  readonly customerId: string
  readonly brandId: string
  /** The product that brought it. */
  readonly productId: string
  /** The payment that brought it; null: the subscription began without one. */
  readonly paymentId: string | null
  readonly subscriptionId: string | null
  readonly status: EntitlementGrantStatus
  /** Null unless it is revoked. */
  readonly revocationReason: RevocationReason | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** Where the customer accepts it; the fulfilment endpoint says so. */
  readonly oauthUrl: string | null
  readonly oauthExpiresAt: Instant | null
  readonly metadata: CatalogMetadata
  readonly deliveredAt: Instant | null
  readonly revokedAt: Instant | null
  readonly createdAt: Instant
  /** Rises with every change, and so distinguishes one state of the grant from the next. */
  readonly updatedAt: Instant
}

/** Nothing gives it again, so nothing takes it back once more, either. [entitlements#revocation] */
export const isTakenForGood = ({ revocationReason }: EntitlementGrant): boolean =>
  revocationReason !== null && forGood.includes(revocationReason)

const forGood: readonly RevocationReason[] = ['refund', 'manual', 'platform_external']

/** Its customer has had files of it, even where they were taken back since. */
export const hasDeliveredFiles = ({
  deliveredAt,
  integrationType,
}: Pick<EntitlementGrant, 'deliveredAt' | 'integrationType'>): boolean =>
  integrationType === 'digital_files' && deliveredAt !== null

/** A grant before and after; null: it is new. */
export interface GrantMove {
  readonly was: EntitlementGrant | null
  readonly grant: EntitlementGrant
}

export const revokedGrant = (
  was: EntitlementGrant,
  revocationReason: RevocationReason,
  at: Instant,
): EntitlementGrant => {
  const time = changeTime(was, at)
  const moved = { revocationReason, revokedAt: time, updatedAt: time }
  return { ...was, ...noDelivery, ...moved, status: 'Revoked' }
}

/** Nothing of an attempt to deliver holds any longer. */
const noDelivery = { errorCode: null, errorMessage: null, oauthUrl: null, oauthExpiresAt: null }

/** Given again, or for the first time: at once, or as soon as somebody says so. */
export function restoredGrant(
  was: EntitlementGrant,
  isDelivered: boolean,
  at: Instant,
): EntitlementGrant {
  const time = changeTime(was, at)
  return {
    ...was,
    ...noDelivery,
    status: isDelivered ? 'Delivered' : 'Pending',
    revocationReason: null,
    revokedAt: null,
    deliveredAt: isDelivered ? time : null,
    updatedAt: time,
  }
}

/** What a fulfilment endpoint says of a grant. [entitlements#fulfilment] */
export type FulfilmentNews = Pick<
  EntitlementGrant,
  'status' | 'errorCode' | 'errorMessage' | 'oauthUrl' | 'oauthExpiresAt'
>

/** Says again what is so already; null: it must not become so. */
export function afterFulfilment(
  was: EntitlementGrant,
  news: FulfilmentNews,
  at: Instant,
): EntitlementGrant | null {
  if (news.status === 'Revoked') {
    return was.status === 'Revoked' ? was : revokedGrant(was, 'platform_external', at)
  }
  if (was.status === 'Revoked') return null
  if (was.status === 'Delivered') return news.status === 'Delivered' ? was : null
  const time = changeTime(was, at)
  const deliveredAt = news.status === 'Delivered' ? time : null
  return { ...was, ...news, deliveredAt, updatedAt: time }
}
