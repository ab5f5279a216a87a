import type { Scope } from '../../parts/store/scope.ts'
import type { PlanChangeRequest } from '../../rules/commerce/subscriptions/decide-plan-change.ts'
import { planChangeAt } from '../../rules/commerce/subscriptions/plan-change-commands.ts'
import { commandSubscription } from './command-subscription.ts'
import type { PlanChangeNeeds } from './prepare-plan-change.ts'
import { preparePlanChange } from './prepare-plan-change.ts'

/**
 * Changes the plan at once, or at the next billing date. As long as there are no payment processors
 * the charge counts as paid, by a payment of the sandbox. Refuses what preparePlanChange() refuses.
 * [resources#subscriptions, subscriptions#cycles]
 */
export function changePlan(
  needs: PlanChangeNeeds,
  scope: Scope,
  request: PlanChangeRequest,
): Promise<undefined> {
  const { subscriptionId } = request
  return commandSubscription(needs, scope, {
    operation: 'change_plan',
    subscriptionId,
    prepare: async (before) => {
      const wanted = await preparePlanChange(needs, scope, { before, request })
      const carts = [...before.cart, ...before.leaving, ...wanted.plan.cart]
      const ids = carts.map((item) => item.creditEntitlementId)
      return {
        entitlementIds: request.waits ? [] : [...new Set(ids)],
        decide: (at) => planChangeAt(wanted, { at, newId: needs.newId }),
      }
    },
  })
}
