import { refuse } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { unscheduledPlan } from '../../rules/commerce/subscriptions/plan-change.ts'
import { unscheduledRejection } from '../../rules/commerce/subscriptions/plan-change-rejection.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { commandSubscription } from './command-subscription.ts'

/** Takes back a scheduled plan change. 404 where there is none. */
export function cancelScheduledChange(
  needs: DueFirstNeeds,
  scope: Scope,
  subscriptionId: string,
): Promise<undefined> {
  return commandSubscription(needs, scope, {
    operation: 'cancel_scheduled_change',
    subscriptionId,
    prepare: async (before) => {
      refuse(unscheduledRejection(before))
      return {
        entitlementIds: [],
        decide: (at) => ({ after: unscheduledPlan(before, at), commands: new Map() }),
      }
    },
  })
}
