import type { Currency } from '../../../rules/commerce/currency.ts'
import type { CartItem } from '../../../rules/commerce/subscriptions/cart.ts'
import type {
  BillingAddress,
  Subscription,
  SubscriptionStatus,
} from '../../../rules/commerce/subscriptions/subscription.ts'
import type { MeasuredUsage } from '../../../rules/commerce/subscriptions/usage-history.ts'
import type { AggregationType } from '../../../rules/meter/meter.ts'
import { usage } from '../../../rules/meter/route.ts'
import type { Frequency } from '../../../std/calendar.ts'
import type { Instant } from '../../../std/instant.ts'
import type { AccountChange } from '../accounts.ts'
import type { Page, Scope } from '../scope.ts'
import type { SubscriptionFilter, Subscriptions } from '../subscriptions.ts'
import { changesJson } from './accounts.ts'
import type { Db } from './client.ts'
import { stateOf, timestamptz } from './client.ts'
import { joined, sql } from './sql.ts'
import type { StretchJson } from './stretches.ts'
import { exact, stretchesFrom, stretchesJson } from './stretches.ts'

export function subscriptions(db: Db): Subscriptions {
  return { activate, renew, usageOf, find, list }

  async function activate(
    scope: Scope,
    subscription: Subscription,
    changes: readonly AccountChange[],
  ): Promise<boolean> {
    return won(
      db.query(sql`
        select activate_subscription(
          ${rowJson(scope, subscription)}::jsonb, ${changesJson(changes)}::jsonb)`),
    )
  }

  async function renew(
    scope: Scope,
    { subscription, expected, changes }: Parameters<Subscriptions['renew']>[1],
  ): Promise<boolean> {
    const renewal = JSON.stringify({
      business_id: scope.businessId,
      mode: scope.mode,
      subscription_id: subscription.subscriptionId,
      customer_id: subscription.customerId,
      expected: timestamptz(expected),
      status: subscription.status,
      previous_billing_date: timestamptz(subscription.previousBillingDate),
      next_billing_date: timestamptz(subscription.nextBillingDate),
      ended: timestamptz(subscription.ended),
      updated_at: timestamptz(subscription.updatedAt),
    })
    return won(
      db.query(sql`select renew_subscription(${renewal}::jsonb, ${changesJson(changes)}::jsonb)`),
    )
  }

  async function usageOf(
    scope: Scope,
    { customerId, subscriptionId }: { customerId: string; subscriptionId: string },
  ): Promise<readonly MeasuredUsage[]> {
    const rows = await db.query<UsageRow>(sql`
      select meter_id, entitlement_id, cycle_at, segment_at, aggregation, events, value,
        last_at, last_received, last_event_id
      from usage
      where (customer_id, route_id, business_id, mode)
        = (${customerId}, ${subscriptionId}, ${scope.businessId}, ${scope.mode})`)
    return rows.map(measuredFrom)
  }

  async function find(scope: Scope, id: string): Promise<Subscription | null> {
    const [row] = await db.query<Row>(sql`
      select * from subscriptions
      where (business_id, mode, subscription_id) = (${scope.businessId}, ${scope.mode}, ${id})`)
    return row === undefined ? null : subscriptionOf(row)
  }

  async function list(
    scope: Scope,
    filter: SubscriptionFilter,
    page: Page,
  ): Promise<readonly Subscription[]> {
    const { brandId, customerId, productId, status, createdFrom, createdTo } = filter
    const conditions = [
      sql`(business_id, mode) = (${scope.businessId}, ${scope.mode})`,
      ...(brandId === null ? [] : [sql`brand_id = ${brandId}`]),
      ...(customerId === null ? [] : [sql`customer_id = ${customerId}`]),
      ...(productId === null ? [] : [sql`product_id = ${productId}`]),
      ...(status === null ? [] : [sql`status = ${status}`]),
      ...(createdFrom === null ? [] : [sql`created_at >= ${timestamptz(createdFrom)}`]),
      ...(createdTo === null ? [] : [sql`created_at <= ${timestamptz(createdTo)}`]),
    ]
    const rows = await db.query<Row>(sql`
      select * from subscriptions where ${joined(conditions, ' and ')}
      order by created_at desc, subscription_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(subscriptionOf)
  }
}

/** False when the statement lost a race and wrote nothing. */
async function won(statement: Promise<unknown>): Promise<boolean> {
  try {
    await statement
    return true
  } catch (error) {
    if (stateOf(error) === lostRace) return false
    throw error
  }
}

/** The error of save_all_accounts() (migration 0002). */
export const lostRace = 'SL001'

interface Row {
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
  readonly credit_cart: readonly CartItem[]
  readonly trial_period_days: number
  readonly activated_at: Instant | null
  readonly ended: Instant | null
  readonly previous_billing_date: Instant
  readonly next_billing_date: Instant
  readonly expires_at: Instant | null
  readonly cancelled_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

/** What nobody looks for by itself. */
interface Details {
  readonly tax_inclusive: boolean
  readonly frequency: Frequency
  readonly period: Frequency
}

interface UsageRow {
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

function measuredFrom(row: UsageRow): MeasuredUsage {
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

const subscriptionOf = (row: Row): Subscription => ({
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
  billing: row.billing,
  metadata: row.metadata,
  stretches: stretchesFrom(row.stretches),
  cart: row.credit_cart,
  trialPeriodDays: row.trial_period_days,
  activatedAt: row.activated_at,
  ended: row.ended,
  previousBillingDate: row.previous_billing_date,
  nextBillingDate: row.next_billing_date,
  expiresAt: row.expires_at,
  cancelledAt: row.cancelled_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

function rowJson(scope: Scope, subscription: Subscription): string {
  const details: Details = {
    tax_inclusive: subscription.taxInclusive,
    frequency: subscription.frequency,
    period: subscription.period,
  }
  return JSON.stringify({
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
    credit_cart: subscription.cart,
    trial_period_days: subscription.trialPeriodDays,
    activated_at: timestamptz(subscription.activatedAt),
    ended: timestamptz(subscription.ended),
    previous_billing_date: timestamptz(subscription.previousBillingDate),
    next_billing_date: timestamptz(subscription.nextBillingDate),
    expires_at: timestamptz(subscription.expiresAt),
    cancelled_at: timestamptz(subscription.cancelledAt),
    created_at: timestamptz(subscription.createdAt),
    updated_at: timestamptz(subscription.updatedAt),
  })
}
