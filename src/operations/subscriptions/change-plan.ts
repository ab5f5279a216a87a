import { Fault, orNotFound } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { unscheduledPlan } from '../../rules/commerce/subscriptions/plan-change.ts'
import type { Instant } from '../../std/instant.ts'
import type { Command } from '../accounts/change.ts'
import type { SubscriptionDesk } from './change-subscription.ts'
import { changeSubscription } from './change-subscription.ts'
import type { PlanChangeNeeds, PlanChangeRequest } from './plan-change.ts'
import { decidePlanChange } from './plan-change.ts'
import { planCommands } from './plan-commands.ts'

/**
 * Changes the plan at once, or at the next billing date. Until processors exist the charge counts
 * as paid, by a payment of the sandbox. Refuses what decidePlanChange() refuses. [contract B.5,
 * ruling 26]
 */
export async function changePlan(
  needs: PlanChangeNeeds,
  scope: Scope,
  request: PlanChangeRequest,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const decided = await decidePlanChange(needs, scope, request)
    const { before, after } = decided
    const paymentId = decided.charged.due > 0 ? needs.newId('pay') : null
    const commands = request.waits
      ? new Map<string, Command>()
      : planCommands({ newId: needs.newId, ...decided, mode: request.mode, paymentId })
    if (await changeSubscription(needs, scope, { before, after, commands, at: request.at })) return
  }
  throw tooBusy()
}

/** Takes back the change that waits. 404 where none does. */
export async function cancelScheduledChange(
  needs: SubscriptionDesk,
  scope: Scope,
  { subscriptionId, at }: { readonly subscriptionId: string; readonly at: Instant },
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const before = orNotFound(
      await needs.subscriptions.find(scope, subscriptionId),
      'subscription',
      subscriptionId,
    )
    if (before.scheduled === null) {
      throw new Fault(
        'SCHEDULED_PLAN_CHANGE_NOT_FOUND',
        'No plan change waits for the next billing date of this subscription.',
      )
    }
    const after = unscheduledPlan(before, at)
    if (await changeSubscription(needs, scope, { before, after, commands: new Map(), at })) return
  }
  throw tooBusy()
}

const triesMax = 20

const tooBusy = (): Fault =>
  new Fault('UNAVAILABLE', 'The subscription is changing too fast just now; try again.', {
    retryAfterSeconds: 1,
  })
