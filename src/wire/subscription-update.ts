import { limits } from '../limits.ts'
import { plainDecimalIfSent } from '../rules/commerce/catalog/decimals.ts'
import type { CartPatch } from '../rules/commerce/subscriptions/cart-patch.ts'
import type { AskedStatus } from '../rules/commerce/subscriptions/lifecycle.ts'
import type { Cancellation } from '../rules/commerce/subscriptions/subscription.ts'
import {
  cancellationFeedbacks,
  cancelReasons,
} from '../rules/commerce/subscriptions/subscription.ts'
import type { SubscriptionPatch } from '../rules/commerce/subscriptions/update.ts'
import type { TimeInterval } from '../std/calendar.ts'
import type { Instant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { creditSettings } from './credit-entitlement.ts'
import { timeIntervals } from './enums.ts'
import {
  creditAmount,
  creditAmountOrZero,
  flag,
  id,
  metadata,
  nullable,
  oneOf,
  percent,
  refused,
  text,
  whole,
} from './schemas.ts'
import type { SubscriptionCreate } from './subscription.ts'
import { billing, billingAddress } from './subscription.ts'

/** [resources#subscriptions] */
export interface SubscriptionUpdate {
  readonly billing?: SubscriptionCreate['billing'] | null
  readonly cancel_at_next_billing_date?: boolean | null
  readonly cancel_reason?: Cancellation['reason']
  readonly cancellation_comment?: string | null
  readonly cancellation_feedback?: Cancellation['feedback']
  readonly credit_entitlement_cart?: readonly CartPatchBody[] | null
  readonly customer_business_name?: string | null
  readonly customer_name?: string | null
  readonly disable_on_demand?: { readonly next_billing_date: string } | null
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | null
  readonly next_billing_date?: string | null
  readonly pause?: unknown
  readonly status?: AskedStatus | null
  readonly subscription_period_count?: number | null
  readonly subscription_period_interval?: TimeInterval | null
  readonly tax_id?: string | null
}

interface CartPatchBody {
  readonly credit_entitlement_id: string
  readonly credits_amount?: string | null
  readonly expires_after_days?: number | null
  readonly low_balance_threshold_percent?: number | null
  readonly max_rollover_count?: number | null
  readonly overage_enabled?: boolean | null
  readonly overage_limit?: string | null
  readonly rollover_enabled?: boolean | null
  readonly rollover_percentage?: number | null
  readonly rollover_timeframe_count?: number | null
  readonly rollover_timeframe_interval?: TimeInterval | null
}

const ofTheProduct = refused('cannot be changed in a cart: it is as the product says')

const cartPatch = {
  type: 'object',
  required: ['credit_entitlement_id'],
  properties: {
    ...creditSettings,
    currency: ofTheProduct,
    overage_behavior: ofTheProduct,
    price_per_unit: ofTheProduct,
    proration_behavior: ofTheProduct,
    trial_credits: ofTheProduct,
    trial_credits_expire_after_trial: ofTheProduct,
    credit_entitlement_id: id,
    credits_amount: nullable(creditAmount),
    low_balance_threshold_percent: nullable(percent),
    overage_enabled: nullable(flag),
    overage_limit: nullable(creditAmountOrZero),
    rollover_enabled: nullable(flag),
  },
}

const ofThePlan = refused(
  'cannot be changed here: POST /subscriptions/{subscription_id}/change-plan does it',
)

export const subscriptionUpdate = schema<SubscriptionUpdate>({
  type: 'object',
  properties: {
    billing: nullable(billing),
    cancel_at_next_billing_date: nullable(flag),
    cancel_reason: nullable(oneOf(cancelReasons)),
    cancellation_comment: nullable(text(0, limits.descriptionMax)),
    cancellation_feedback: nullable(oneOf(cancellationFeedbacks)),
    credit_entitlement_cart: { type: ['array', 'null'], items: cartPatch },
    customer_business_name: nullable(text(1, 255)),
    customer_name: nullable(text(1, limits.nameMax)),
    disable_on_demand: nullable({
      type: 'object',
      required: ['next_billing_date'],
      properties: { next_billing_date: text(1, 64) },
    }),
    metadata: nullable(metadata),
    next_billing_date: nullable(text(1, 64)),
    status: nullable(oneOf(['cancelled', 'paused', 'active'])),
    subscription_period_count: nullable(whole(1, limits.intervalCountMax)),
    subscription_period_interval: nullable(oneOf(timeIntervals)),
    tax_id: nullable(text(1, 255)),
    addons: ofThePlan,
    discount_code: ofThePlan,
    discount_codes: ofThePlan,
    expires_at: refused(
      'cannot be changed: subscription_period_count and subscription_period_interval move it',
    ),
    product_id: ofThePlan,
    quantity: ofThePlan,
    trial_period_days: refused('cannot be changed: next_billing_date moves the end of a trial'),
  },
})

/** Absent stays absent, and null clears. The dates are those of the body, parsed. */
export const subscriptionPatch = (
  body: SubscriptionUpdate,
  nextBillingDate: Instant | null,
  disablesOnDemand: Instant | null = null,
): SubscriptionPatch => ({
  billing: body.billing == null ? null : billingAddress(body.billing),
  cancelAtNextBillingDate: body.cancel_at_next_billing_date,
  cancelReason: body.cancel_reason,
  cancellationComment: body.cancellation_comment,
  cancellationFeedback: body.cancellation_feedback,
  cart: body.credit_entitlement_cart?.map(cartPatchOf),
  customerBusinessName: body.customer_business_name,
  customerName: body.customer_name,
  metadata: body.metadata,
  nextBillingDate,
  disablesOnDemand,
  periodCount: body.subscription_period_count,
  periodInterval: body.subscription_period_interval,
  status: body.status,
  taxId: body.tax_id,
})

/** Absent stays absent: null clears. */
function cartPatchOf(body: CartPatchBody): CartPatch {
  const sent = {
    creditsAmount: plainDecimalIfSent(body.credits_amount),
    expiresAfterDays: body.expires_after_days,
    lowBalanceThresholdPercent: body.low_balance_threshold_percent,
    maxRolloverCount: body.max_rollover_count,
    overageEnabled: body.overage_enabled,
    overageLimit: plainDecimalIfSent(body.overage_limit),
    rolloverEnabled: body.rollover_enabled,
    rolloverPercentage: body.rollover_percentage,
    rolloverTimeframeCount: body.rollover_timeframe_count,
    rolloverTimeframeInterval: body.rollover_timeframe_interval,
  }
  const present = Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined),
  )
  return { creditEntitlementId: body.credit_entitlement_id, ...present }
}

/** Fields that null clears; others keep their value. [requests#nulls] */
const clearable = new Set([
  'cancel_reason',
  'cancellation_comment',
  'cancellation_feedback',
  'customer_business_name',
  'customer_name',
  'metadata',
  'tax_id',
])

/**
 * What a schema cannot say about several fields: `pause` is no longer a field, a pause or its end
 * stands alone, and the reason for a cancellation comes with it. [resources#subscriptions]
 */
export function updateProblem(body: SubscriptionUpdate): string | null {
  if ('pause' in body) return 'pause is no longer supported: send status "paused" or "active".'
  const others = Object.entries(body).filter(
    ([key, value]) => key !== 'status' && (value != null || clearable.has(key)),
  )
  if ((body.status === 'paused' || body.status === 'active') && others.length > 0) {
    return `status "${body.status}" must be the only field.`
  }
  const ends = body.status === 'cancelled'
  if (ends && body.cancel_at_next_billing_date === true) {
    return 'cancel_at_next_billing_date does not go with status "cancelled", which ends it at once.'
  }
  if (body.disable_on_demand != null && body.next_billing_date != null) {
    return 'next_billing_date does not go with disable_on_demand, which names it.'
  }
  const why = body.cancellation_comment ?? body.cancellation_feedback ?? body.cancel_reason ?? null
  if (why !== null && !ends && body.cancel_at_next_billing_date === false) {
    return 'cancellation_comment, cancellation_feedback and cancel_reason need a cancellation.'
  }
  return null
}
