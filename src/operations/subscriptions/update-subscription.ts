import { refuse, unlessRefused } from '../../faults.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { SubscriptionPatch } from '../../rules/commerce/subscriptions/update.ts'
import { mayConcernCredits, updatedBy } from '../../rules/commerce/subscriptions/update.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { commandSubscription } from './command-subscription.ts'

export interface UpdateNeeds extends DueFirstNeeds {
  readonly creditEntitlements: CreditEntitlements
}

export interface UpdateRequest {
  readonly subscriptionId: string
  readonly patch: SubscriptionPatch
}

/**
 * Changes a subscription. Refuses 404 for an unknown one, too many keys or too large integers in
 * metadata, and what updatedBy() refuses. [resources#subscriptions]
 */
export async function updateSubscription(
  needs: UpdateNeeds,
  scope: Scope,
  request: UpdateRequest,
): Promise<void> {
  const { subscriptionId, patch } = request
  await commandSubscription(needs, scope, {
    operation: 'update_subscription',
    subscriptionId,
    prepare: async (before) => {
      refuse(metadataRejection(patch.metadata ?? {}))
      const precisions = await precisionsOf(needs, scope, before)
      const carried = [...before.cart, ...before.leaving].map((item) => item.creditEntitlementId)
      return {
        entitlementIds: mayConcernCredits(patch) ? [...new Set(carried)] : [],
        decide: (at) =>
          unlessRefused(updatedBy(patch, before, { at, log: needs.clock.now(), precisions })),
      }
    },
  })
}

async function precisionsOf(
  { creditEntitlements }: UpdateNeeds,
  scope: Scope,
  { cart }: Subscription,
): Promise<ReadonlyMap<string, number>> {
  const ids = cart.map((item) => item.creditEntitlementId)
  const found = await creditEntitlements.many(scope, ids)
  return new Map([...found].map(([id, { precision }]) => [id, precision]))
}
