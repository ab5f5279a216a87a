import type { Frequency } from '../../../std/calendar.ts'
import type { Instant } from '../../../std/instant.ts'
import type { Stretch } from '../../meter/route.ts'
import type { Currency } from '../currency.ts'
import type { CartItem } from './cart.ts'

/** [contract A.10] */
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

export interface BillingAddress {
  readonly country: string
  readonly city: string | null
  readonly state: string | null
  readonly street: string | null
  readonly zipcode: string | null
}

/** A customer's running purchase of a product. [contract B.5] */
export interface Subscription {
  readonly subscriptionId: string
  readonly customerId: string
  readonly productId: string
  readonly brandId: string
  readonly status: SubscriptionStatus
  readonly quantity: number
  readonly currency: Currency
  readonly recurringPreTaxAmount: number
  readonly taxInclusive: boolean
  readonly frequency: Frequency
  readonly period: Frequency
  /** Of the first charge. */
  readonly paymentId: string | null
  readonly billing: BillingAddress
  readonly metadata: Readonly<Record<string, string | number | boolean>>
  /** How usage is cut and worth, through time. */
  readonly stretches: readonly Stretch[]
  readonly cart: readonly CartItem[]
  readonly trialPeriodDays: number
  readonly activatedAt: Instant | null
  /** Log time after which nothing received counts into it. */
  readonly ended: Instant | null
  readonly previousBillingDate: Instant
  readonly nextBillingDate: Instant
  readonly expiresAt: Instant | null
  readonly cancelledAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
