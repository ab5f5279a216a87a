import { limits } from '../limits.ts'
import type {
  ReadCart,
  ReadSubscription,
} from '../rules/commerce/subscriptions/read-subscription.ts'
import type { Subscription } from '../rules/commerce/subscriptions/subscription.ts'
import type { Meter } from '../rules/meter/meter.ts'
import type { Link } from '../rules/meter/route.ts'
import { segmentAt } from '../rules/meter/route.ts'
import { formatDecimal, powerOfTen } from '../std/decimal.ts'
import type { Instant } from '../std/instant.ts'
import { earlierOf, formatInstant, instantOf } from '../std/instant.ts'
import { balanceText, overageText } from './credit-balance.ts'
import { customerLimitedDetails } from './subscription.ts'

/** [resources#subscriptions] */
export type SubscriptionView = ReturnType<typeof subscriptionView>

/** [resources#subscriptions] */
export const subscriptionView = (
  read: ReadSubscription,
  carts: readonly ReadCart[],
  meters: ReadonlyMap<string, Meter>,
) => ({
  ...common(read),
  addons: [],
  cancellation_comment: read.subscription.cancellation.comment,
  cancellation_feedback: read.subscription.cancellation.feedback,
  credit_entitlement_cart: carts.map(cartView),
  custom_field_responses: null,
  discounts: null,
  expires_at: timeOrNull(read.subscription.expiresAt),
  meter_credit_entitlement_cart: linksOf(read)
    .filter((link) => link.entitlementId !== null)
    .map((link) => meterCreditView(read, link, meters)),
  meters: linksOf(read).map((link) => meterView(read, link, meters)),
})

/** [resources#subscriptions] */
export const subscriptionListView = (read: ReadSubscription) => ({
  ...common(read),
  discounts: [],
  product_name: read.productName,
})

function common({ subscription, customer }: ReadSubscription) {
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
    discount_cycles_remaining: null,
    discount_id: null,
    metadata: subscription.metadata,
    next_billing_date: formatInstant(subscription.nextBillingDate),
    on_demand: false,
    paused_at: timeOrNull(subscription.pausedAt),
    payment_frequency_count: subscription.frequency.count,
    payment_frequency_interval: subscription.frequency.interval,
    payment_method_id: null,
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
    trial_amount: null,
    trial_period_days: subscription.trialPeriodDays,
  }
}

const timeOrNull = (at: Instant | null): string | null => (at === null ? null : formatInstant(at))

/** [resources#subscriptions] */
function scheduledView({ scheduled, nextBillingDate }: Subscription) {
  if (scheduled === null) return null
  return {
    id: scheduled.id,
    addons: [],
    created_at: formatInstant(scheduled.createdAt),
    effective_at: formatInstant(nextBillingDate),
    product_description: scheduled.productDescription,
    product_id: scheduled.plan.productId,
    product_name: scheduled.productName,
    quantity: scheduled.plan.quantity,
  }
}

/** The links of the open cycle, also while its end is due and waits to be applied. */
function linksOf({ subscription, at }: ReadSubscription): readonly Link[] {
  const open = instantOf(subscription.nextBillingDate - 1)
  return segmentAt(subscription.stretches, earlierOf(at, open))?.links ?? []
}

function cartView({ item, name, unit, account }: ReadCart) {
  return {
    credit_entitlement_id: item.creditEntitlementId,
    credit_entitlement_name: name,
    credits_amount: item.creditsAmount,
    expires_after_days: item.expiresAfterDays,
    low_balance_threshold_percent: item.lowBalanceThresholdPercent,
    max_rollover_count: item.maxRolloverCount,
    overage_balance: overageText(account),
    overage_behavior: item.overageBehavior,
    overage_enabled: item.overageEnabled,
    overage_limit: item.overageLimit,
    product_id: item.productId,
    remaining_balance: balanceText(account),
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
function meterView(
  { subscription }: ReadSubscription,
  link: Link,
  meters: ReadonlyMap<string, Meter>,
) {
  const meter = meters.get(link.meterId)
  return {
    currency: subscription.currency,
    description: meter?.description ?? null,
    free_threshold: Number(link.freeThreshold / powerOfTen(limits.usageScale)),
    measurement_unit: meter?.measurementUnit ?? '',
    meter_id: link.meterId,
    name: meter?.name ?? '',
    price_per_unit: link.entitlementId === null ? link.pricePerUnit : null,
  }
}

function meterCreditView(
  { subscription }: ReadSubscription,
  link: Link,
  meters: ReadonlyMap<string, Meter>,
) {
  return {
    credit_entitlement_id: link.entitlementId ?? '',
    meter_id: link.meterId,
    meter_name: meters.get(link.meterId)?.name ?? '',
    meter_units_per_credit: formatDecimal(link.unitsPerCredit ?? 0n, limits.usageScale),
    product_id: subscription.productId,
  }
}
