import type { MeterPrice, Price } from '../../../../rules/commerce/catalog/price.ts'
import { isRecurring } from '../../../../rules/commerce/catalog/price.ts'
import type { TimeInterval } from '../../../../std/calendar.ts'

/** A price as it is stored in a jsonb column. */
export type PriceJson = OneTimeJson | RecurringJson | UsageBasedJson

interface TermsJson extends Pick<Price, 'currency' | 'discount'> {
  readonly purchasing_power_parity: boolean
  readonly tax_inclusive: boolean | null
}

interface OneTimeJson extends TermsJson {
  readonly type: 'one_time_price'
  readonly price: number
  readonly pay_what_you_want: boolean
  readonly suggested_price: number | null
}

interface RecurrenceJson {
  readonly payment_frequency_count: number
  readonly payment_frequency_interval: TimeInterval
  readonly subscription_period_count: number
  readonly subscription_period_interval: TimeInterval
}

interface RecurringJson extends TermsJson, RecurrenceJson {
  readonly type: 'recurring_price'
  readonly price: number
  readonly trial_period_days: number
  readonly trial_amount: number | null
  readonly trial_apply_discounts: boolean
}

interface UsageBasedJson extends TermsJson, RecurrenceJson {
  readonly type: 'usage_based_price'
  readonly fixed_price: number
  readonly meters: readonly MeterPriceJson[]
}

interface MeterPriceJson {
  readonly meter_id: string
  readonly credit_entitlement_id: string | null
  readonly meter_units_per_credit: string | null
  readonly price_per_unit: string | null
  readonly free_threshold: number | null
}

export function priceJson(price: Price): PriceJson {
  const terms: TermsJson = {
    currency: price.currency,
    discount: price.discount,
    purchasing_power_parity: price.purchasingPowerParity,
    tax_inclusive: price.taxInclusive,
  }
  if (!isRecurring(price)) {
    return {
      ...terms,
      type: price.type,
      price: price.price,
      pay_what_you_want: price.payWhatYouWant,
      suggested_price: price.suggestedPrice,
    }
  }
  const recurrence: RecurrenceJson = {
    payment_frequency_count: price.frequency.count,
    payment_frequency_interval: price.frequency.interval,
    subscription_period_count: price.period.count,
    subscription_period_interval: price.period.interval,
  }
  if (price.type === 'usage_based_price') {
    const { type, fixedPrice, meters } = price
    return { ...terms, ...recurrence, type, fixed_price: fixedPrice, meters: meters.map(meterJson) }
  }
  return {
    ...terms,
    ...recurrence,
    type: price.type,
    price: price.price,
    trial_period_days: price.trialPeriodDays,
    trial_amount: price.trialAmount,
    trial_apply_discounts: price.trialApplyDiscounts,
  }
}

const meterJson = (meter: MeterPrice): MeterPriceJson => ({
  meter_id: meter.meterId,
  credit_entitlement_id: meter.creditEntitlementId,
  meter_units_per_credit: meter.meterUnitsPerCredit,
  price_per_unit: meter.pricePerUnit,
  free_threshold: meter.freeThreshold,
})

export function priceFrom(stored: PriceJson): Price {
  const terms = {
    currency: stored.currency,
    discount: stored.discount,
    purchasingPowerParity: stored.purchasing_power_parity,
    taxInclusive: stored.tax_inclusive,
  }
  if (stored.type === 'one_time_price') {
    return {
      ...terms,
      type: stored.type,
      price: stored.price,
      payWhatYouWant: stored.pay_what_you_want,
      suggestedPrice: stored.suggested_price,
    }
  }
  const recurrence = recurrenceFrom(stored)
  if (stored.type === 'usage_based_price') {
    const { type, fixed_price: fixedPrice, meters } = stored
    return { ...terms, ...recurrence, type, fixedPrice, meters: meters.map(meterFrom) }
  }
  return {
    ...terms,
    ...recurrence,
    type: stored.type,
    price: stored.price,
    trialPeriodDays: stored.trial_period_days,
    trialAmount: stored.trial_amount,
    trialApplyDiscounts: stored.trial_apply_discounts,
  }
}

const recurrenceFrom = (stored: RecurrenceJson) => ({
  frequency: {
    count: stored.payment_frequency_count,
    interval: stored.payment_frequency_interval,
  },
  period: {
    count: stored.subscription_period_count,
    interval: stored.subscription_period_interval,
  },
})

const meterFrom = (stored: MeterPriceJson): MeterPrice => ({
  meterId: stored.meter_id,
  creditEntitlementId: stored.credit_entitlement_id,
  meterUnitsPerCredit: stored.meter_units_per_credit,
  pricePerUnit: stored.price_per_unit,
  freeThreshold: stored.free_threshold,
})
