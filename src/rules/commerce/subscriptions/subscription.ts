import type { Frequency } from '../../../std/calendar.ts'
import type { Instant } from '../../../std/instant.ts'
import type { CartItem } from '../../accounts/attached-credits.ts'
import type { LogTimeRange } from '../../meter/meter.ts'
import type { Link, Stretch } from '../../meter/route.ts'
import type { BillingAddress } from '../billing-address.ts'
import type { CarriedAddon } from '../catalog/addon.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'
import type { Currency } from '../currency.ts'
import type { CustomFieldResponse } from '../custom-field-response.ts'
import type { KeptDiscount } from '../discounts/discount.ts'
import type { ProrationMode } from '../proration-mode.ts'
import type { BilledLine, BilledUsage, Dues } from './dues.ts'

/** [resources#names-of-choices] */
export const subscriptionStatuses = [
  'pending',
  'active',
  'on_hold',
  'paused',
  'cancelled',
  'failed',
  'expired',
] as const

export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** [resources#names-of-choices] */
export const cancellationFeedbacks = [
  'too_expensive',
  'missing_features',
  'switched_service',
  'unused',
  'customer_service',
  'low_quality',
  'too_complex',
  'other',
] as const
export const cancelReasons = [
  'cancelled_by_customer',
  'cancelled_by_merchant',
  'cancelled_by_merchant_send_dunning',
  'dodo_team',
] as const

export interface Cancellation {
  /** Whether the subscription is to end with its open cycle. */
  readonly scheduled: boolean
  readonly comment: string | null
  readonly feedback: (typeof cancellationFeedbacks)[number] | null
  readonly reason: (typeof cancelReasons)[number] | null
}

export const notCancelled: Cancellation = {
  scheduled: false,
  comment: null,
  feedback: null,
  reason: null,
}

/** What a subscription gets from its product. A plan change replaces all of it. */
export interface SubscribedPlan {
  readonly productId: string
  readonly brandId: string
  readonly quantity: number
  readonly currency: Currency
  /** Each payment period, with its add-ons, before codes and before tax that comes on top. */
  readonly recurringPreTaxAmount: number
  readonly addons: readonly CarriedAddon[]
  readonly taxInclusive: boolean
  readonly frequency: Frequency
  readonly period: Frequency
  readonly links: readonly Link[]
  readonly cart: readonly CartItem[]
}

/**
 * A plan change that waits for the end of the open cycle. Its terms are those of the time when it
 * was asked for.
 */
export interface ScheduledChange {
  readonly id: string
  readonly createdAt: Instant
  readonly productName: string | null
  readonly productDescription: string | null
  readonly plan: SubscribedPlan
  /** The codes that it is to have then; null: those that stay through such a change. */
  readonly discounts: readonly KeptDiscount[] | null
  /** Of the payment that begins it; null: as the subscription's. */
  readonly metadata: CatalogMetadata | null
}

/**
 * A plan change that is made once it is paid, and not before. [subscriptions#paying-for-a-change]
 */
export interface PendingChange {
  readonly paymentId: string
  readonly mode: ProrationMode
  readonly plan: SubscribedPlan
  /** Its codes from that payment on. */
  readonly discounts: readonly KeptDiscount[]
  /** What the payment takes of what was owed to the customer, who has it again if it fails. */
  readonly used: number
}

/** A customer's running purchase of a product. [resources#subscriptions] */
export interface Subscription {
  readonly subscriptionId: string
  readonly customerId: string
  readonly productId: string
  readonly brandId: string
  readonly status: SubscriptionStatus
  readonly quantity: number
  readonly currency: Currency
  /** Each payment period, with its add-ons, before codes and before tax that comes on top. */
  readonly recurringPreTaxAmount: number
  readonly addons: readonly CarriedAddon[]
  /** Codes that lower its payments, in the order in which they act. */
  readonly discounts: readonly KeptDiscount[]
  readonly taxInclusive: boolean
  readonly frequency: Frequency
  readonly period: Frequency
  /** The payment of the first charge. */
  readonly paymentId: string | null
  /** The saved method that renewals charge; null: none. */
  readonly paymentMethodId: string | null
  /** What is to be paid before its credits come again; null: nothing. */
  readonly dues: Dues | null
  /** Whether its business says what it is charged, and when. [subscriptions#on-demand] */
  readonly onDemand: boolean
  /** The payment of such a charge of which nobody knows yet what became; null: there is none. */
  readonly charging: string | null
  /** Charges that wait for the next renewal. [subscriptions#renewals] */
  readonly unbilled: readonly BilledLine[]
  /** What its usage was billed for last; null: never. [subscriptions#renewals] */
  readonly billedUsage: BilledUsage | null
  /**
   * What the business owes the customer through changes to cheaper plans, in the currency's
   * smallest unit. Later charges of this subscription are paid from it first.
   */
  readonly owed: number
  readonly billing: BillingAddress
  readonly metadata: Readonly<Record<string, string | number | boolean>>
  /** How usage is cut into cycles, and what it is worth, through time. */
  readonly stretches: readonly Stretch[]
  readonly cart: readonly CartItem[]
  /** Entitlements that it no longer carries, and whose last grants end with the open cycle. */
  readonly leaving: readonly CartItem[]
  readonly scheduled: ScheduledChange | null
  /** Null: no plan change waits for its payment. */
  readonly changing: PendingChange | null
  readonly cancellation: Cancellation
  readonly taxId: string | null
  readonly customerBusinessName: string | null
  /** The name as it was changed for this subscription; null: the customer's own. */
  readonly customerName: string | null
  /** What the buyer answered on the page of its first payment. */
  readonly customFields: readonly CustomFieldResponse[]
  readonly trialPeriodDays: number
  /**
   * What the trial has cost, by unit, after codes and before taxes that come on top; null:
   * nothing, there was none, or it began before this was kept.
   */
  readonly trialAmount: number | null
  readonly activatedAt: Instant | null
  /** Log time; what is received later does not count into it. */
  readonly ended: Instant | null
  /** Log times; what is received inside counts nothing. */
  readonly pauses: readonly LogTimeRange[]
  /** Null unless it is paused now. */
  readonly pausedAt: Instant | null
  readonly previousBillingDate: Instant
  readonly nextBillingDate: Instant
  readonly expiresAt: Instant | null
  readonly cancelledAt: Instant | null
  /** Rises with every change. A change is written only over the version on which it was decided. */
  readonly version: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** Whether it has ended for good. */
export const isOver = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'cancelled' || status === 'expired' || status === 'failed'

/** What a change is, besides another status. [webhooks#kinds] */
export type Happened = 'renewed' | 'plan_changed' | 'update_payment_method'
