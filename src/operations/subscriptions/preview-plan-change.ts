import { Fault, orNotFound } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { endOf } from '../../rules/commerce/billing-dates.ts'
import type {
  DecidedChange,
  PlanChangeRequest,
} from '../../rules/commerce/subscriptions/decide-plan-change.ts'
import { decidePlanChange } from '../../rules/commerce/subscriptions/decide-plan-change.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
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
): Promise<DecidedChange & { readonly at: Instant }> {
  const { subscriptionId } = request
  const found = await needs.subscriptions.find(scope, subscriptionId)
  const before = orNotFound(found, 'subscription', subscriptionId)
  const wanted = await preparePlanChange(needs, scope, { before, request })
  const at = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  if (endOf(before) <= at) {
    throw new Fault('UNAVAILABLE', 'The end of a billing cycle is being applied; try again.', {
      retryAfterSeconds: 1,
    })
  }
  return { ...decidePlanChange(wanted, at), at }
}
