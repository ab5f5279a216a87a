import type { TimeInterval } from '../../../std/calendar.ts'
import type { Currency } from '../currency.ts'

/**
 * A product's price, in the API's own shape: it is stored and answered as one document, whole.
 * Money is in the currency's smallest unit. [resources#prices]
 */
export type Price = OneTimePrice | RecurringPrice | UsageBasedPrice

interface PriceTerms {
  readonly currency: Currency
  /** Percent, 0 to 100. */
  readonly discount: number
  readonly purchasing_power_parity: boolean
  readonly tax_inclusive: boolean | null
}

interface Recurrence {
  readonly payment_frequency_count: number
  readonly payment_frequency_interval: TimeInterval
  readonly subscription_period_count: number
  readonly subscription_period_interval: TimeInterval
}

export interface OneTimePrice extends PriceTerms {
  readonly type: 'one_time_price'
  readonly price: number
  readonly pay_what_you_want: boolean
  readonly suggested_price: number | null
}

export interface RecurringPrice extends PriceTerms, Recurrence {
  readonly type: 'recurring_price'
  readonly price: number
  readonly trial_period_days: number
  /** Null: the trial is free. */
  readonly trial_amount: number | null
  readonly trial_apply_discounts: boolean
}

export interface UsageBasedPrice extends PriceTerms, Recurrence {
  readonly type: 'usage_based_price'
  readonly fixed_price: number
  readonly meters: readonly MeterPrice[]
}

/** A meter on a usage-based price: tied to credits, or priced in money. [resources#prices] */
export interface MeterPrice {
  readonly meter_id: string
  readonly credit_entitlement_id: string | null
  readonly meter_units_per_credit: string | null
  /** Money per unit; means nothing on a meter that is tied to credits. */
  readonly price_per_unit: string | null
  /** Units per cycle before charging; null is 0. */
  readonly free_threshold: number | null
}

export const metersOf = (price: Price): readonly MeterPrice[] =>
  price.type === 'usage_based_price' ? price.meters : []

/** Subscriptions come of it, rather than single purchases. */
export const isRecurring = (price: Price): price is RecurringPrice | UsageBasedPrice =>
  price.type !== 'one_time_price'

/** What is asked for it at once, or each period, before discounts and usage. */
export const baseAmount = (price: Price): number =>
  price.type === 'usage_based_price' ? price.fixed_price : price.price
