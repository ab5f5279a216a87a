import type { RejectionCode } from '../catalog/rejection.ts'

/**
 * Why a command on a subscription is refused: a code of the API, and a sentence.
 * [requests#refusals]
 */
export interface SubscriptionRejection {
  readonly code: SubscriptionRejectionCode
  readonly problem: string
}

export type SubscriptionRejectionCode =
  | RejectionCode
  | 'CHARGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION'
  | 'INACTIVE_SUBSCRIPTION_PLAN_CHANGE_NOT_SUPPORTED'
  | 'INVALID_PRORATION_MODE_WITH_NEXT_BILLING_DATE'
  | 'INVALID_QUANTITY'
  | 'ON_DEMAND_PLAN_CHANGE_NOT_SUPPORTED'
  | 'PENDING_PLAN_CHANGE_EXISTS'
  | 'PLAN_CHANGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION'
  | 'PREVIOUS_PAYMENT_PENDING'
  | 'SCHEDULED_PLAN_CHANGE_EXISTS'
  | 'SCHEDULED_PLAN_CHANGE_NOT_FOUND'
  | 'SUBSCRIPTION_EXPIRED'
  | 'SUBSCRIPTION_INACTIVE'
  | 'SUBSCRIPTION_NOT_ON_DEMAND'
  | 'UNSUPPORTED_CURRENCY'

export const isRejection = (decided: object): decided is SubscriptionRejection =>
  'problem' in decided
