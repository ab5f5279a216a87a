import { Fault } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { AccountCommand } from '../../rules/accounts/change.ts'
import { unscheduledPlan } from '../../rules/commerce/subscriptions/plan-change.ts'
import type { CommandDesk } from '../boundaries/due-first.ts'
import { commandSubscription } from './command-subscription.ts'
import type { PlanChangeNeeds, PlanChangeRequest } from './plan-change.ts'
import { decidePlanChange, preparePlanChange } from './plan-change.ts'
import { planCommands } from './plan-commands.ts'

/**
 * Changes the plan at once, or at the next billing date. Until processors exist the charge counts
 * as paid, by a payment of the sandbox. Refuses what preparePlanChange() refuses.
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
        decide: (at) => {
          const decided = decidePlanChange(wanted, at)
          const paymentId = decided.charged.due > 0 ? needs.newId('pay') : null
          const commands = request.waits
            ? new Map<string, AccountCommand>()
            : planCommands({ newId: needs.newId, ...decided, mode: request.mode, paymentId })
          return { after: decided.after, commands }
        },
      }
    },
  })
}

/** Takes back the change that waits. 404 where none does. */
export function cancelScheduledChange(
  needs: CommandDesk,
  scope: Scope,
  subscriptionId: string,
): Promise<undefined> {
  return commandSubscription(needs, scope, {
    operation: 'cancel_scheduled_change',
    subscriptionId,
    prepare: async (before) => {
      if (before.scheduled === null) {
        throw new Fault(
          'SCHEDULED_PLAN_CHANGE_NOT_FOUND',
          'No plan change waits for the next billing date of this subscription.',
        )
      }
      return {
        entitlementIds: [],
        decide: (at) => ({ after: unscheduledPlan(before, at), commands: new Map() }),
      }
    },
  })
}
