import assert from 'node:assert/strict'
import type { LicenseKey } from '../licenses/license-key.ts'
import type { Subscription, SubscriptionStatus } from '../subscriptions/subscription.ts'
import type { EntitlementGrant, RevocationReason } from './entitlement-grant.ts'
import type { GrantMoment, GrantMoves } from './granting.ts'
import { granted, movesOf, nothingGranted, restored, revoked, revokedAnew } from './granting.ts'
import type { ProductEntitlement } from './product-entitlement.ts'

/** What is known of a subscription's grants. */
export interface KnownGrants {
  readonly grants: readonly EntitlementGrant[]
  readonly keys: readonly LicenseKey[]
  /** Those of the grants, deleted ones included. */
  readonly entitlements: ReadonlyMap<string, ProductEntitlement>
  /** What each product brings that the subscription may come to be of. */
  readonly broughtBy: ReadonlyMap<string, readonly ProductEntitlement[]>
}

/** Why a subscription in this state gives nothing; null: it does. */
function lapseOf(status: SubscriptionStatus): RevocationReason | null {
  switch (status) {
    case 'pending':
    case 'active':
      return null
    case 'on_hold':
      return 'subscription_on_hold'
    case 'paused':
      return 'SubscriptionPaused'
    case 'expired':
      return 'subscription_expired'
    case 'cancelled':
    case 'failed':
      return 'subscription_cancelled'
  }
}

/** What a subscription that goes on gives again. */
const passing: readonly (RevocationReason | null)[] = [
  'subscription_on_hold',
  'SubscriptionPaused',
  'plan_changed',
]

/**
 * What a change of a subscription does to its grants: they live while it is active, and while its
 * plan brings them. [entitlements#subscriptions]
 */
export function subscriptionGrants(
  { before, after }: { readonly before: Subscription; readonly after: Subscription },
  known: KnownGrants,
  moment: GrantMoment,
): GrantMoves {
  const isMoved = before.productId !== after.productId
  if (after.status === 'pending' || (before.status === after.status && !isMoved)) {
    return nothingGranted
  }
  const lapse = lapseOf(after.status)
  const plan = isMoved ? known.broughtBy.get(after.productId) : null
  assert(plan !== undefined, 'nobody has loaded what the plan brings')
  const had = known.grants.map((grant) => moved(grant, { after, known, lapse, moment, plan }))
  const fresh = (plan ?? []).filter(
    ({ entitlementId }) => !known.grants.some((grant) => grant.entitlementId === entitlementId),
  )
  // Where nothing more comes of it, nothing begins.
  if (lapse !== null && !passing.includes(lapse)) return movesOf(had)
  const { brandId, customerId, productId, quantity, subscriptionId } = after
  const purchase = { customerId, brandId, subscriptionId, paymentId: null, metadata: {} }
  const brought = fresh.map((entitlement) => ({ entitlement, productId, quantity }))
  return movesOf([...had, granted(purchase, brought, { ...moment, waits: lapse })])
}

function moved(
  grant: EntitlementGrant,
  of: {
    readonly after: Subscription
    readonly known: KnownGrants
    readonly lapse: RevocationReason | null
    readonly moment: GrantMoment
    readonly plan: readonly ProductEntitlement[] | null
  },
): GrantMoves {
  const { after, known, lapse, moment, plan } = of
  const { keys } = known
  const lives = grant.status !== 'Revoked'
  const isCarried =
    plan === null
      ? grant.revocationReason !== 'plan_changed'
      : plan.some(({ entitlementId }) => entitlementId === grant.entitlementId)
  const { at } = moment
  if (lives && !isCarried) return revoked(grant, { keys, reason: 'plan_changed' }, at)
  if (lives) return lapse === null ? nothingGranted : revoked(grant, { keys, reason: lapse }, at)
  const { revocationReason: reason } = grant
  if (!passing.includes(reason)) return nothingGranted
  if (!isCarried) {
    return reason === 'plan_changed'
      ? nothingGranted
      : revokedAnew(grant, { keys, reason: 'plan_changed' }, at)
  }
  if (lapse !== null) {
    return reason === 'plan_changed' && passing.includes(lapse)
      ? revokedAnew(grant, { keys, reason: lapse }, at)
      : nothingGranted
  }
  const entitlement = known.entitlements.get(grant.entitlementId)
  if (entitlement === undefined) return nothingGranted
  return restored(grant, { keys, entitlement, quantity: after.quantity }, moment)
}
