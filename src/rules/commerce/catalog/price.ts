import type { Frequency } from '../../../std/calendar.ts'
import type { Currency } from '../currency.ts'

/** What a product costs. Money is in the currency's smallest unit. [resources#prices] */
export type Price = OneTimePrice | RecurringPrice | UsageBasedPrice

interface PriceTerms {
  readonly currency: Currency
  /** Percent, 0 to 100. */
  readonly discount: number
  readonly purchasingPowerParity: boolean
  readonly taxInclusive: boolean | null
}

interface Recurrence {
  /** How often it is paid. */
  readonly frequency: Frequency
  /** How long a subscription lasts. */
  readonly period: Frequency
}

export interface OneTimePrice extends PriceTerms {
  readonly type: 'one_time_price'
  readonly price: number
  readonly payWhatYouWant: boolean
  readonly suggestedPrice: number | null
}

export interface RecurringPrice extends PriceTerms, Recurrence {
  readonly type: 'recurring_price'
  readonly price: number
  readonly trialPeriodDays: number
  /** Null: the trial is free. */
  readonly trialAmount: number | null
  readonly trialApplyDiscounts: boolean
}

export interface UsageBasedPrice extends PriceTerms, Recurrence {
  readonly type: 'usage_based_price'
  readonly fixedPrice: number
  readonly meters: readonly MeterPrice[]
}

/** A meter on a usage-based price: tied to credits, or priced in money. [resources#prices] */
export interface MeterPrice {
  readonly meterId: string
  readonly creditEntitlementId: string | null
  /** Plain decimal text, as is the price. */
  readonly meterUnitsPerCredit: string | null
  /** Price per unit; without meaning for a meter that is tied to credits. */
  readonly pricePerUnit: string | null
  /** Free units per cycle; null is 0. */
  readonly freeThreshold: number | null
}

export const metersOf = (price: Price): readonly MeterPrice[] =>
  price.type === 'usage_based_price' ? price.meters : []

/** Whether it is bought as a subscription, rather than once. */
export const isRecurring = (price: Price): price is RecurringPrice | UsageBasedPrice =>
  price.type !== 'one_time_price'

/** The least that buyers may say that one costs; null: they have no say in the price. */
export const leastOfBuyer = (price: Price): number | null =>
  price.type === 'one_time_price' && price.payWhatYouWant ? price.price : null

/** What is asked for the product at once, or for each period, before discounts and usage. */
export const baseAmount = (price: Price): number =>
  price.type === 'usage_based_price' ? price.fixedPrice : price.price
