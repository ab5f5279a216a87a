import { askedRejection } from './lifecycle.ts'
import type { PlanChangeRequest } from './plan-change-request.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionRejection } from './subscription-rejection.ts'

/**
 * Refuses a change of the plan while another one is to be paid, or is scheduled; where the
 * subscription is not active, or is about to be cancelled; and a mode that cannot wait.
 * [resources#subscriptions, subscriptions#plan-changes]
 */
export function planChangeRejection(
  before: Subscription,
  request: PlanChangeRequest,
): SubscriptionRejection | null {
  if (before.changing !== null || before.dues?.change != null) {
    return {
      code: 'PENDING_PLAN_CHANGE_EXISTS',
      problem: 'The payment of a plan change is on its way; wait for what becomes of it.',
    }
  }
  if (before.scheduled !== null && !request.replaces) {
    return {
      code: 'SCHEDULED_PLAN_CHANGE_EXISTS',
      problem:
        'A plan change waits for the next billing date: cancel it first, or send cancel_scheduled_change_plan.',
    }
  }
  if (before.status !== 'active') {
    return {
      code: 'INACTIVE_SUBSCRIPTION_PLAN_CHANGE_NOT_SUPPORTED',
      problem: `The plan of an active subscription can be changed; this one is ${before.status}.`,
    }
  }
  const asked = askedRejection(before)
  if (asked !== null) return asked
  if (before.cancellation.scheduled) {
    return {
      code: 'PLAN_CHANGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION',
      problem:
        'This subscription is to be cancelled at its next billing date: take that back first.',
    }
  }
  if (before.onDemand) {
    const problem = 'The plan of a subscription on demand cannot be changed.'
    return { code: 'ON_DEMAND_PLAN_CHANGE_NOT_SUPPORTED', problem }
  }
  if (request.waits === true && request.mode !== 'full_immediately') {
    return {
      code: 'INVALID_PRORATION_MODE_WITH_NEXT_BILLING_DATE',
      problem: 'effective_at "next_billing_date" needs proration_billing_mode "full_immediately".',
    }
  }
  return null
}

/** Refuses where no scheduled change can be taken back. */
export const unscheduledRejection = ({ scheduled }: Subscription): SubscriptionRejection | null =>
  scheduled === null
    ? {
        code: 'SCHEDULED_PLAN_CHANGE_NOT_FOUND',
        problem: 'No plan change waits for the next billing date of this subscription.',
      }
    : null
