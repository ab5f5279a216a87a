import { Fault, orNotFound } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { endOf } from '../../rules/commerce/billing-dates.ts'
import type { DecidedChange } from '../../rules/commerce/subscriptions/decide-plan-change.ts'
import { decidePlanChange } from '../../rules/commerce/subscriptions/decide-plan-change.ts'
import type { PlanChangeRequest } from '../../rules/commerce/subscriptions/plan-change-request.ts'
import { after, laterOf } from '../../std/instant.ts'
import { planEntitlements } from './change-plan.ts'
import type { PlanChangeNeeds } from './prepare-plan-change.ts'
import { preparePlanChange } from './prepare-plan-change.ts'

/**
 * A plan change as it would be now. Refuses what preparing refuses, and 503 while the end of a
 * cycle is due: the change would wait for it, but a preview changes nothing.
 */
export async function previewPlanChange(
  needs: PlanChangeNeeds,
  scope: Scope,
  request: PlanChangeRequest,
): Promise<DecidedChange> {
  const { subscriptionId } = request
  const found = await needs.subscriptions.find(scope, subscriptionId)
  const before = orNotFound(found, 'subscription', subscriptionId)
  const { wanted } = await preparePlanChange(needs, scope, { before, request })
  const now = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  const at = laterOf(now, before.updatedAt)
  if (endOf(before) <= at) {
    throw new Fault('UNAVAILABLE', 'The end of a billing cycle is being applied; try again.', {
      retryAfterSeconds: 1,
    })
  }
  const { customerId } = before
  const keys = planEntitlements({ wanted }).map((entitlementId) => {
    return { ...scope, customerId, entitlementId }
  })
  const views = wanted.waits ? [] : await needs.accounts.load(keys)
  return decidePlanChange(wanted, { at, views })
}
