import type { BillingAddress } from '../../../../rules/commerce/billing-address.ts'
import type { CarriedAddon } from '../../../../rules/commerce/catalog/addon.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { CustomFieldResponse } from '../../../../rules/commerce/custom-field-response.ts'
import type {
  BilledLine,
  BilledUsage,
  Dues,
} from '../../../../rules/commerce/subscriptions/dues.ts'
import type { FoldedSubscription } from '../../../../rules/commerce/subscriptions/folding.ts'
import type {
  Cancellation,
  Subscription,
  SubscriptionStatus,
} from '../../../../rules/commerce/subscriptions/subscription.ts'
import type { MeasuredUsage } from '../../../../rules/commerce/subscriptions/usage-history.ts'
import type { AggregationType } from '../../../../rules/meter/meter.ts'
import { usage } from '../../../../rules/meter/route.ts'
import type { Frequency } from '../../../../std/calendar.ts'
import type { Instant } from '../../../../std/instant.ts'
import { formatInstant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { instantFrom, instantOrNull } from '../connection/values.ts'
import type { StoredRange } from '../usage/log-time.ts'
import { rangesOf, storedRange } from '../usage/log-time.ts'
import type { CartItemJson } from './cart-json.ts'
import { cartFrom, cartJson } from './cart-json.ts'
import type { KeptDiscountJson } from './kept-discount-json.ts'
import { keptDiscountFrom, keptDiscountJson } from './kept-discount-json.ts'
import type { ChangingJson, ScheduledJson } from './plan-json.ts'
import { changingFrom, changingJson, scheduledFrom, scheduledJson } from './plan-json.ts'
import type { StretchJson } from './stretches.ts'
import { exact, overJson, stretchesFrom, stretchesJson } from './stretches.ts'

export interface SubscriptionRow {
  readonly subscription_id: string
  readonly customer_id: string
  readonly product_id: string
  readonly brand_id: string
  readonly status: SubscriptionStatus
  readonly quantity: number
  readonly currency: Currency
  readonly recurring_pre_tax_amount: number
  readonly payment_id: string | null
  readonly billing: BillingAddress
  readonly metadata: Readonly<Record<string, string | number | boolean>>
  readonly details: Details
  readonly stretches: readonly StretchJson[]
  readonly credit_cart: readonly CartItemJson[]
  readonly trial_period_days: number
  readonly activated_at: Instant | null
  readonly ended: Instant | null
  readonly pauses: readonly StoredRange[]
  readonly previous_billing_date: Instant
  readonly next_billing_date: Instant
  readonly expires_at: Instant | null
  readonly cancelled_at: Instant | null
  readonly version: number
  readonly created_at: Instant
  readonly updated_at: Instant
  readonly payment_method_id: string | null
  readonly retry_at: Instant | null
}

/** The parts of a subscription that no query looks for. */
interface Details {
  readonly tax_inclusive: boolean
  readonly frequency: Frequency
  readonly period: Frequency
  readonly paused_at: string | null
  /** Absent in rows that were written before subscriptions could owe anything. */
  readonly owed?: number
  /** Absent in rows that were written before renewals could charge. */
  readonly dues?: StoredDues | null
  readonly unbilled?: readonly BilledLine[]
  readonly billed_usage?: StoredUsage | null
  /** Absent in rows that were written before subscriptions could be on demand. */
  readonly on_demand?: boolean
  readonly charging?: string | null
  /** Absent in rows that were written before subscriptions could have either. */
  readonly addons?: readonly CarriedAddon[]
  readonly discounts?: readonly KeptDiscountJson[]
  readonly leaving: readonly CartItemJson[]
  readonly scheduled: ScheduledJson | null
  /** Absent in rows that were written before plan changes could charge. */
  readonly changing?: ChangingJson | null
  readonly cancellation: Cancellation
  readonly tax_id: string | null
  /** Absent: of before it was kept. */
  readonly trial_amount?: number | null
  readonly customer_business_name: string | null
  readonly customer_name: string | null
  /** Absent: of before they were kept. */
  readonly custom_fields?: readonly CustomFieldResponse[]
}

type StoredUsage = Omit<BilledUsage, 'start'> & { readonly start: string }

type StoredDues = Omit<Dues, 'change' | 'failedAt' | 'retryAt'> & {
  readonly change?: Dues['change']
  readonly failedAt: string | null
}

export interface SegmentUsageRow {
  readonly meter_id: string
  readonly entitlement_id: string
  readonly cycle_at: Instant
  readonly segment_at: Instant
  readonly aggregation: AggregationType
  readonly events: number
  readonly value: string
  readonly last_at: Instant | null
  readonly last_received: Instant | null
  readonly last_event_id: string | null
}

export function measuredFrom(row: SegmentUsageRow): MeasuredUsage {
  const { last_at: at, last_received: received, last_event_id: eventId } = row
  const last =
    at === null || received === null || eventId === null ? null : { at, received, eventId }
  const value = usage(exact(row.value))
  return {
    meterId: row.meter_id,
    entitlementId: row.entitlement_id === '' ? null : row.entitlement_id,
    cycleAt: row.cycle_at,
    segmentAt: row.segment_at,
    fold: { aggregation: row.aggregation, events: row.events, value, last },
  }
}

export const subscriptionOf = (row: SubscriptionRow): Subscription => ({
  subscriptionId: row.subscription_id,
  customerId: row.customer_id,
  productId: row.product_id,
  brandId: row.brand_id,
  status: row.status,
  quantity: row.quantity,
  currency: row.currency,
  recurringPreTaxAmount: row.recurring_pre_tax_amount,
  taxInclusive: row.details.tax_inclusive,
  frequency: row.details.frequency,
  period: row.details.period,
  paymentId: row.payment_id,
  paymentMethodId: row.payment_method_id,
  dues: duesFrom(row),
  onDemand: row.details.on_demand ?? false,
  charging: row.details.charging ?? null,
  unbilled: row.details.unbilled ?? [],
  billedUsage: usageFrom(row.details.billed_usage ?? null),
  owed: row.details.owed ?? 0,
  addons: row.details.addons ?? [],
  discounts: (row.details.discounts ?? []).map(keptDiscountFrom),
  billing: row.billing,
  metadata: row.metadata,
  stretches: stretchesFrom(row.stretches),
  cart: cartFrom(row.credit_cart),
  leaving: cartFrom(row.details.leaving),
  scheduled: row.details.scheduled === null ? null : scheduledFrom(row.details.scheduled),
  changing: changingFrom(row.details.changing ?? null),
  cancellation: row.details.cancellation,
  taxId: row.details.tax_id,
  customerBusinessName: row.details.customer_business_name,
  customerName: row.details.customer_name,
  customFields: row.details.custom_fields ?? [],
  trialPeriodDays: row.trial_period_days,
  trialAmount: row.details.trial_amount ?? null,
  activatedAt: row.activated_at,
  ended: row.ended,
  pauses: rangesOf(row.pauses),
  pausedAt: instantOrNull(row.details.paused_at),
  previousBillingDate: row.previous_billing_date,
  nextBillingDate: row.next_billing_date,
  expiresAt: row.expires_at,
  cancelledAt: row.cancelled_at,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_subscriptions() takes it. */
export function subscriptionRow(
  scope: Scope,
  { row: subscription, over }: FoldedSubscription,
): object {
  const details: Details = {
    tax_inclusive: subscription.taxInclusive,
    frequency: subscription.frequency,
    period: subscription.period,
    paused_at: subscription.pausedAt === null ? null : formatInstant(subscription.pausedAt),
    owed: subscription.owed,
    dues: duesJson(subscription.dues),
    on_demand: subscription.onDemand,
    charging: subscription.charging,
    unbilled: subscription.unbilled,
    billed_usage: usageJson(subscription.billedUsage),
    addons: subscription.addons,
    discounts: subscription.discounts.map(keptDiscountJson),
    leaving: cartJson(subscription.leaving),
    scheduled: subscription.scheduled === null ? null : scheduledJson(subscription.scheduled),
    changing: changingJson(subscription.changing),
    cancellation: subscription.cancellation,
    tax_id: subscription.taxId,
    trial_amount: subscription.trialAmount,
    customer_business_name: subscription.customerBusinessName,
    customer_name: subscription.customerName,
    custom_fields: subscription.customFields,
  }
  return {
    business_id: scope.businessId,
    mode: scope.mode,
    subscription_id: subscription.subscriptionId,
    customer_id: subscription.customerId,
    product_id: subscription.productId,
    brand_id: subscription.brandId,
    status: subscription.status,
    quantity: subscription.quantity,
    currency: subscription.currency,
    recurring_pre_tax_amount: subscription.recurringPreTaxAmount,
    payment_id: subscription.paymentId,
    billing: subscription.billing,
    metadata: subscription.metadata,
    details,
    stretches: JSON.parse(stretchesJson(subscription.stretches)),
    credit_cart: cartJson(subscription.cart),
    trial_period_days: subscription.trialPeriodDays,
    activated_at: timestamptz(subscription.activatedAt),
    ended: timestamptz(subscription.ended),
    pauses: subscription.pauses.map(storedRange),
    previous_billing_date: timestamptz(subscription.previousBillingDate),
    next_billing_date: timestamptz(subscription.nextBillingDate),
    expires_at: timestamptz(subscription.expiresAt),
    cancelled_at: timestamptz(subscription.cancelledAt),
    version: subscription.version,
    created_at: timestamptz(subscription.createdAt),
    updated_at: timestamptz(subscription.updatedAt),
    payment_method_id: subscription.paymentMethodId,
    retry_at: timestamptz(subscription.dues?.retryAt ?? null),
    over: overJson(over),
  }
}

function duesFrom({ details, retry_at: retryAt }: SubscriptionRow): Dues | null {
  const { dues = null } = details
  if (dues === null) return null
  return { change: null, ...dues, failedAt: instantOrNull(dues.failedAt), retryAt }
}

function duesJson(dues: Dues | null): StoredDues | null {
  if (dues === null) return null
  const { retryAt: _, failedAt, ...kept } = dues
  return { ...kept, failedAt: failedAt === null ? null : formatInstant(failedAt) }
}

const usageFrom = (stored: StoredUsage | null): BilledUsage | null =>
  stored === null ? null : { ...stored, start: instantFrom(stored.start) }

const usageJson = (billed: BilledUsage | null): StoredUsage | null =>
  billed === null ? null : { ...billed, start: formatInstant(billed.start) }
