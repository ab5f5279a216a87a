import type {
  ReadCart,
  ReadSubscription,
} from '../rules/commerce/subscriptions/read-subscription.ts'
import type { Subscription } from '../rules/commerce/subscriptions/subscription.ts'
import type {
  SubscriptionTold,
  ToldCart,
  ToldMeter,
  ToldSubscription,
} from '../rules/facts/subscription-facts.ts'
import { toldSubscription } from '../rules/facts/subscription-facts.ts'
import type { Meter } from '../rules/meter/meter.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant } from '../std/instant.ts'
import { balanceText, overageText } from './credit-balance.ts'
import { customFieldResponses } from './custom-field-responses.ts'
import { discountDetail } from './discount-detail.ts'
import { customerLimitedDetails } from './subscription.ts'

/** [resources#subscriptions] */
export type SubscriptionView = ReturnType<typeof subscriptionView>

/** [resources#subscriptions] */
export const subscriptionView = (
  { businessId, subscription, customer, at }: ReadSubscription,
  carts: readonly ReadCart[],
  meters: ReadonlyMap<string, Meter>,
) =>
  toldSubscriptionView({
    ...toldSubscription(subscription, meters, at),
    customer,
    carts: carts.map(({ account, ...cart }) => ({
      ...cart,
      balance: balanceText(account),
      overage: overageText(account),
    })),
    businessId,
  })

/** [resources#subscriptions, webhooks#kinds] */
export const toldSubscriptionView = ({
  businessId,
  ...told
}: Omit<SubscriptionTold, 'customerId'> & { readonly businessId: string }) => ({
  ...common(told),
  addons: addonViews(told.subscription.addons),
  cancellation_comment: told.subscription.cancellation.comment,
  cancellation_feedback: told.subscription.cancellation.feedback,
  credit_entitlement_cart: told.carts.map(cartView),
  custom_field_responses: customFieldResponses(told.subscription.customFields),
  discounts: discountsOf(told.subscription, businessId),
  expires_at: timeOrNull(told.subscription.expiresAt),
  meter_credit_entitlement_cart: told.meters
    .filter(({ entitlementId }) => entitlementId !== null)
    .map((meter) => meterCreditView(told.subscription, meter)),
  meters: told.meters.map((meter) => meterView(told.subscription, meter)),
})

/** [resources#subscriptions] */
export const subscriptionListView = (read: ReadSubscription) => ({
  ...common(read),
  discounts: read.subscription.discounts.map(({ cyclesRemaining, discount }) => ({
    discount_id: discount.discountId,
    discount_cycles_remaining: cyclesRemaining,
  })),
  product_name: read.productName,
})

function common({
  subscription,
  customer,
}: Pick<SubscriptionTold, 'customer' | 'subscription'> | ReadSubscription) {
  return {
    billing: subscription.billing,
    brand_id: subscription.brandId,
    cancel_at_next_billing_date: subscription.cancellation.scheduled,
    cancelled_at: timeOrNull(subscription.cancelledAt),
    created_at: formatInstant(subscription.createdAt),
    currency: subscription.currency,
    customer: customerLimitedDetails({
      ...customer,
      name: subscription.customerName ?? customer.name,
    }),
    customer_business_name: subscription.customerBusinessName,
    discount_cycles_remaining: subscription.discounts[0]?.cyclesRemaining ?? null,
    discount_id: subscription.discounts[0]?.discount.discountId ?? null,
    metadata: subscription.metadata,
    next_billing_date: formatInstant(subscription.nextBillingDate),
    // Facts that an earlier release has written do not say so.
    on_demand: subscription.onDemand === true,
    paused_at: timeOrNull(subscription.pausedAt),
    payment_frequency_count: subscription.frequency.count,
    payment_frequency_interval: subscription.frequency.interval,
    payment_method_id: subscription.paymentMethodId,
    previous_billing_date: formatInstant(subscription.previousBillingDate),
    product_id: subscription.productId,
    quantity: subscription.quantity,
    recurring_pre_tax_amount: subscription.recurringPreTaxAmount,
    scheduled_change: scheduledView(subscription),
    status: subscription.status,
    subscription_id: subscription.subscriptionId,
    subscription_period_count: subscription.period.count,
    subscription_period_interval: subscription.period.interval,
    tax_id: subscription.taxId,
    tax_inclusive: subscription.taxInclusive,
    // Facts that an earlier release has written do not say so.
    trial_amount: subscription.trialAmount ?? null,
    trial_period_days: subscription.trialPeriodDays,
  }
}

const addonViews = (addons: Subscription['addons']) =>
  addons.map(({ addonId, quantity }) => ({ addon_id: addonId, quantity }))

function discountsOf({ discounts }: Pick<Subscription, 'discounts'>, businessId: string) {
  if (discounts.length === 0) return null
  return discounts.map((kept, position) => discountDetail(businessId, kept, position))
}

const timeOrNull = (at: Instant | null): string | null => (at === null ? null : formatInstant(at))

/** [resources#subscriptions] */
function scheduledView({ scheduled, nextBillingDate }: ToldSubscription | Subscription) {
  if (scheduled === null) return null
  return {
    id: scheduled.id,
    addons: scheduled.plan.addons.map(({ addonId, name, quantity }) => ({
      addon_id: addonId,
      name,
      quantity,
    })),
    created_at: formatInstant(scheduled.createdAt),
    effective_at: formatInstant(nextBillingDate),
    product_description: scheduled.productDescription,
    product_id: scheduled.plan.productId,
    product_name: scheduled.productName,
    quantity: scheduled.plan.quantity,
  }
}

function cartView({ item, name, unit, balance, overage }: ToldCart) {
  return {
    credit_entitlement_id: item.creditEntitlementId,
    credit_entitlement_name: name,
    credits_amount: item.creditsAmount,
    expires_after_days: item.expiresAfterDays,
    low_balance_threshold_percent: item.lowBalanceThresholdPercent,
    max_rollover_count: item.maxRolloverCount,
    overage_balance: overage,
    overage_behavior: item.overageBehavior,
    overage_enabled: item.overageEnabled,
    overage_limit: item.overageLimit,
    product_id: item.productId,
    remaining_balance: balance,
    rollover_enabled: item.rolloverEnabled,
    rollover_percentage: item.rolloverPercentage,
    rollover_timeframe_count: item.rolloverTimeframeCount,
    rollover_timeframe_interval: item.rolloverTimeframeInterval,
    unit,
  }
}

/**
 * A meter that is linked to credits costs no money, and so has no price. [resources#prices,
 * meters#worth]
 */
const meterView = ({ currency }: ToldSubscription, meter: ToldMeter) => ({
  currency,
  description: meter.description,
  free_threshold: meter.freeThreshold,
  measurement_unit: meter.measurementUnit,
  meter_id: meter.meterId,
  name: meter.name,
  price_per_unit: meter.entitlementId === null ? meter.pricePerUnit : null,
})

const meterCreditView = ({ productId }: ToldSubscription, meter: ToldMeter) => ({
  credit_entitlement_id: meter.entitlementId ?? '',
  meter_id: meter.meterId,
  meter_name: meter.name,
  meter_units_per_credit: meter.unitsPerCredit,
  product_id: productId,
})
