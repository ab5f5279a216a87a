import assert from 'node:assert/strict'
import type { Scope } from '../../parts/store/scope.ts'
import { endOf } from '../../rules/commerce/billing-dates.ts'
import { endOfCycle } from '../../rules/commerce/subscriptions/end-of-cycle.ts'
import type { Instant } from '../../std/instant.ts'
import { Due } from '../accounts/change-accounts.ts'
import { untilWritten } from '../accounts/until-written.ts'
import type { SubscriptionNeeds } from '../subscriptions/change-subscription.ts'
import { tryChangeSubscription } from '../subscriptions/change-subscription.ts'

export type CycleNeeds = SubscriptionNeeds

/**
 * Ends the open cycle of a subscription and begins the next one, or lets the subscription end, with
 * its cycle or in the middle of it. Closing and opening are one transaction for all of its
 * entitlements. As long as there are no payment processors every renewal counts as paid. Does
 * nothing when it has been done already. [machines#boundaries, credits#cycle-end,
 * subscriptions#cycles]
 */
export async function endSubscriptionCycle(
  needs: CycleNeeds,
  scope: Scope,
  subscriptionId: string,
  at: Instant,
): Promise<void> {
  await untilWritten<undefined>(needs, 'cycle_end', async () => {
    const before = await needs.subscriptions.find(scope, subscriptionId)
    if (before?.status !== 'active' || endOf(before) !== at) return undefined
    const made = endOfCycle(before, { log: needs.clock.now(), newId: needs.newId })
    const tried = await tryChangeSubscription(needs, scope, {
      operation: 'cycle_end',
      before,
      prepared: { entitlementIds: [...made.commands.keys()], decide: () => made },
      at: () => at,
    })
    assert(!(tried instanceof Due))
    return tried
  })
}
