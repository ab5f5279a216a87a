import { redemptionRefusals } from '../../rules/commerce/discounts/redeem.ts'
import { subscriptionStatuses } from '../../rules/commerce/subscriptions/subscription.ts'
import { planPreviewAnswer } from '../answers/plan-preview.ts'
import {
  creditUsageAnswer,
  paymentMethodUpdatedAnswer,
  planChangedAnswer,
  subscriptionAnswer,
  subscriptionChargedAnswer,
  subscriptionCreatedAnswer,
  subscriptionItemAnswer,
  usagePeriodAnswer,
} from '../answers/subscriptions.ts'
import { subscriptionCharge } from '../on-demand.ts'
import { paymentMethodUpdate } from '../payment-method-update.ts'
import { planChange } from '../plan-change.ts'
import { headerText, oneOf } from '../schemas.ts'
import { subscriptionCreate } from '../subscription.ts'
import { subscriptionUpdate } from '../subscription-update.ts'
import { cartRefusals } from './cart-refusals.ts'
import type { DescribedRoutes } from './described.ts'
import { flagQuery, textQuery, timeQuery } from './described.ts'

const planBody = {
  schema: planChange,
  example: {
    product_id: 'pdt_Zb3kQ9dR1sVxW7yTnM2pL',
    quantity: 1,
    proration_billing_mode: 'do_not_bill',
  },
}

const planRefusals = [
  'PRODUCT_IS_DELETED',
  'CREDIT_ENTITLEMENT_IS_DELETED',
  'PENDING_PLAN_CHANGE_EXISTS',
  'SCHEDULED_PLAN_CHANGE_EXISTS',
  'INACTIVE_SUBSCRIPTION_PLAN_CHANGE_NOT_SUPPORTED',
  'ON_DEMAND_PLAN_CHANGE_NOT_SUPPORTED',
  'PLAN_CHANGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION',
  'PREVIOUS_PAYMENT_PENDING',
  'INVALID_PRORATION_MODE_WITH_NEXT_BILLING_DATE',
  'MISSING_ADDON_IDS',
  'DUPLICATE_ADDON_IDS_IN_REQUEST',
  'ADDONS_IN_USAGE_BASED_BILLING_NOT_SUPPORTED',
  'UNSUPPORTED_BILLING_CURRENCY',
  'INVALID_QUANTITY',
  'BRAND_MISMATCH',
  'DISCOUNT_ALREADY_USED_ON_SUBSCRIPTION',
  'DISCOUNT_NOT_APPLICABLE_TO_NEW_PRODUCT',
  ...redemptionRefusals,
  'DISCOUNT_CONCURRENT_REDEMPTION',
  'INTEGER_CONVERSION_FAILURE',
  'MAXIMUM_KEYS_REACHED',
  'UNSUPPORTED_ACTION',
  'CONFLICT',
] as const

export const subscriptionsDescribed: DescribedRoutes = {
  'GET /subscriptions': {
    id: 'listSubscriptions',
    summary: 'List subscriptions',
    query: {
      brand_id: textQuery,
      customer_id: textQuery,
      product_id: textQuery,
      status: oneOf(subscriptionStatuses),
      cancel_at_next_billing_date: flagQuery,
      created_at_gte: timeQuery,
      created_at_lte: timeQuery,
    },
    paged: true,
    answers: { items: subscriptionItemAnswer },
  },
  'POST /subscriptions': {
    id: 'createSubscription',
    summary: 'Subscribe a customer to a product',
    waits: true,
    body: {
      schema: subscriptionCreate,
      example: {
        product_id: 'pdt_Zb3kQ9dR1sVxW7yTnM2pL',
        quantity: 1,
        billing: { country: 'DE' },
        customer: { customer_id: 'cus_4hJ8fD2sK6gL0mN5bV7cX' },
      },
    },
    answers: subscriptionCreatedAnswer,
    refusals: cartRefusals,
  },
  'GET /subscriptions/:id': {
    id: 'getSubscription',
    summary: 'Read a subscription',
    waits: true,
    answers: subscriptionAnswer,
  },
  'PATCH /subscriptions/:id': {
    id: 'updateSubscription',
    summary: 'Change, pause, resume or cancel a subscription',
    waits: true,
    body: { schema: subscriptionUpdate, example: { metadata: { team: 'research' } } },
    answers: subscriptionAnswer,
    refusals: [
      'BRAND_NOT_ENABLED',
      'SUBSCRIPTION_INACTIVE',
      'SUBSCRIPTION_NOT_ON_DEMAND',
      'CREDIT_ENTITLEMENT_IS_DELETED',
      'INTEGER_CONVERSION_FAILURE',
      'MAXIMUM_KEYS_REACHED',
      'PREVIOUS_PAYMENT_PENDING',
      'UNSUPPORTED_ACTION',
      'CONFLICT',
    ],
  },
  'POST /subscriptions/:id/charge': {
    id: 'chargeSubscription',
    summary: 'Charge a subscription on demand',
    waits: true,
    headers: { 'Idempotency-Key': headerText },
    body: { schema: subscriptionCharge, example: { product_price: 2500 } },
    answers: subscriptionChargedAnswer,
    refusals: [
      'SUBSCRIPTION_NOT_ON_DEMAND',
      'SUBSCRIPTION_EXPIRED',
      'SUBSCRIPTION_INACTIVE',
      'CHARGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION',
      'PREVIOUS_PAYMENT_PENDING',
      'UNSUPPORTED_CURRENCY',
      'INVALID_REQUEST_PARAMETERS',
      'INTEGER_CONVERSION_FAILURE',
      'MAXIMUM_KEYS_REACHED',
      'UNSUPPORTED_ACTION',
      'CONFLICT',
    ],
  },
  'POST /subscriptions/:id/update-payment-method': {
    id: 'updatePaymentMethod',
    summary: 'Give a subscription another payment method, and pay what it owes',
    waits: true,
    body: {
      schema: paymentMethodUpdate,
      example: { type: 'existing', payment_method_id: 'pm_Zb3kQ9dR1sVxW7yTnM2pL' },
    },
    answers: paymentMethodUpdatedAnswer,
    refusals: ['SUBSCRIPTION_INACTIVE', 'PREVIOUS_PAYMENT_PENDING', 'NO_ELIGIBLE_PAYMENT_METHODS'],
  },
  'GET /subscriptions/:id/credit-usage': {
    id: 'getCreditUsage',
    summary: "Read a subscription's credit usage",
    waits: true,
    answers: creditUsageAnswer,
  },
  'GET /subscriptions/:id/usage-history': {
    id: 'listUsageHistory',
    summary: "List what a subscription's meters counted, by period",
    query: { start_date: timeQuery, end_date: timeQuery, meter_id: textQuery },
    paged: true,
    waits: true,
    answers: { items: usagePeriodAnswer },
    refusals: ['INVALID_REQUEST_PARAMETERS', 'INTEGER_CONVERSION_FAILURE'],
  },
  'POST /subscriptions/:id/change-plan': {
    id: 'changePlan',
    summary: 'Change the plan of a subscription',
    waits: true,
    body: planBody,
    answers: planChangedAnswer,
    refusals: planRefusals,
  },
  'POST /subscriptions/:id/change-plan/preview': {
    id: 'previewPlanChange',
    summary: 'See what a plan change would do now',
    waits: true,
    body: planBody,
    answers: planPreviewAnswer,
    refusals: planRefusals,
  },
  'DELETE /subscriptions/:id/change-plan/scheduled': {
    id: 'cancelScheduledPlanChange',
    summary: 'Cancel the plan change that waits for the next billing date',
    waits: true,
    answers: null,
    refusals: ['SCHEDULED_PLAN_CHANGE_NOT_FOUND'],
  },
}
