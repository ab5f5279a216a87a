import { limits } from '../limits.ts'
import { plainDecimalOrNull } from '../rules/commerce/catalog/decimals.ts'
import type { MeterPrice, Price } from '../rules/commerce/catalog/price.ts'
import { isRecurring } from '../rules/commerce/catalog/price.ts'
import type { Meter } from '../rules/meter/meter.ts'
import type { TimeInterval } from '../std/calendar.ts'
import type { Currency } from './enums.ts'
import { currencies, timeIntervals } from './enums.ts'
import type { Definition } from './schemas.ts'
import {
  flag,
  id,
  meterUnits,
  money,
  nullable,
  oneOf,
  percent,
  pricePerUnit,
  refused,
  whole,
} from './schemas.ts'

/** [resources#prices]: fields with a default may be absent or null. */
export type PriceBody = OneTimePriceBody | RecurringPriceBody | UsageBasedPriceBody

interface TermsBody {
  readonly currency: Currency
  readonly discount: number
  readonly purchasing_power_parity?: boolean | null
  readonly tax_inclusive?: boolean | null
}

interface RecurrenceBody {
  readonly payment_frequency_count: number
  readonly payment_frequency_interval: TimeInterval
  readonly subscription_period_count: number
  readonly subscription_period_interval: TimeInterval
}

interface OneTimePriceBody extends TermsBody {
  readonly type: 'one_time_price'
  readonly price: number
  readonly pay_what_you_want?: boolean | null
  readonly suggested_price?: number | null
}

interface RecurringPriceBody extends TermsBody, RecurrenceBody {
  readonly type: 'recurring_price'
  readonly price: number
  readonly trial_period_days?: number | null
  readonly trial_amount?: number | null
  readonly trial_apply_discounts?: boolean | null
}

interface UsageBasedPriceBody extends TermsBody, RecurrenceBody {
  readonly type: 'usage_based_price'
  readonly fixed_price: number
  readonly meters?: readonly MeterPriceBody[] | null
}

/** [resources#prices] */
interface MeterPriceBody {
  readonly meter_id: string
  readonly credit_entitlement_id?: string | null
  readonly meter_units_per_credit?: string | null
  readonly price_per_unit?: string | null
  readonly free_threshold?: number | null
}

const meterPrice: Definition = {
  type: 'object',
  required: ['meter_id'],
  properties: {
    meter_id: id,
    credit_entitlement_id: nullable(id),
    meter_units_per_credit: nullable(meterUnits),
    price_per_unit: nullable(pricePerUnit),
    free_threshold: nullable(whole(0, Number.MAX_SAFE_INTEGER)),
  },
}

const terms = {
  currency: oneOf(currencies),
  discount: percent,
  purchasing_power_parity: nullable(flag),
  tax_inclusive: nullable(flag),
}

const recurrence = {
  payment_frequency_count: whole(1, limits.intervalCountMax),
  payment_frequency_interval: oneOf(timeIntervals),
  subscription_period_count: whole(1, limits.intervalCountMax),
  subscription_period_interval: oneOf(timeIntervals),
}

const kinds = {
  one_time_price: {
    required: ['currency', 'discount', 'price'],
    properties: {
      ...terms,
      price: money,
      pay_what_you_want: nullable(flag),
      suggested_price: nullable(money),
    },
  },
  recurring_price: {
    required: ['currency', 'discount', 'price', ...Object.keys(recurrence)],
    properties: {
      ...terms,
      ...recurrence,
      price: money,
      trial_period_days: nullable(whole(0, limits.trialDaysMax)),
      trial_amount: nullable(money),
      trial_apply_discounts: nullable(flag),
    },
  },
  usage_based_price: {
    required: ['currency', 'discount', 'fixed_price', ...Object.keys(recurrence)],
    properties: {
      ...terms,
      ...recurrence,
      fixed_price: money,
      meters: { type: ['array', 'null'], maxItems: limits.metersPerProductMax, items: meterPrice },
    },
  },
}

/** Fields of other kinds of prices, which are refused rather than ignored. */
function foreignTo(kind: string, own: object): Readonly<Record<string, Definition>> {
  const names = Object.values(kinds).flatMap(({ properties }) => Object.keys(properties))
  const foreign = names.filter((name) => !Object.hasOwn(own, name))
  return Object.fromEntries(foreign.map((name) => [name, refused(`does not go with ${kind}`)]))
}

// `oneOf` would only say that no kind fits; choosing by `type` lets the error name a field.
export const price: Definition = {
  type: 'object',
  required: ['type'],
  properties: { type: oneOf(Object.keys(kinds)) },
  allOf: Object.entries(kinds).map(([kind, { required, properties }]) => ({
    if: { type: 'object', required: ['type'], properties: { type: { const: kind } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema, in a plain object.
    then: {
      type: 'object',
      required,
      properties: { ...properties, ...foreignTo(kind, properties) },
    },
  })),
}

/** The price that a body asks for, with all defaults filled in. [resources#prices] */
export function wantedPrice(body: PriceBody): Price {
  const terms = {
    currency: body.currency,
    discount: body.discount,
    purchasingPowerParity: body.purchasing_power_parity ?? false,
    taxInclusive: body.tax_inclusive ?? null,
  }
  if (body.type === 'one_time_price') {
    return {
      type: body.type,
      ...terms,
      price: body.price,
      payWhatYouWant: body.pay_what_you_want ?? false,
      suggestedPrice: body.suggested_price ?? null,
    }
  }
  const recurrence = {
    frequency: { count: body.payment_frequency_count, interval: body.payment_frequency_interval },
    period: { count: body.subscription_period_count, interval: body.subscription_period_interval },
  }
  if (body.type === 'recurring_price') {
    return {
      type: body.type,
      ...terms,
      ...recurrence,
      price: body.price,
      trialPeriodDays: body.trial_period_days ?? 0,
      trialAmount: body.trial_amount ?? null,
      trialApplyDiscounts: body.trial_apply_discounts ?? false,
    }
  }
  const meters = (body.meters ?? []).map(wantedMeterPrice)
  return { type: body.type, ...terms, ...recurrence, fixedPrice: body.fixed_price, meters }
}

const wantedMeterPrice = (body: MeterPriceBody): MeterPrice => ({
  meterId: body.meter_id,
  creditEntitlementId: body.credit_entitlement_id ?? null,
  meterUnitsPerCredit: plainDecimalOrNull(body.meter_units_per_credit),
  pricePerUnit: plainDecimalOrNull(body.price_per_unit),
  freeThreshold: body.free_threshold ?? null,
})

/** A price with all of its fields. */
export type PriceView = ReturnType<typeof priceView>

export function priceView(price: Price, meters: ReadonlyMap<string, Meter>) {
  const terms = {
    currency: price.currency,
    discount: price.discount,
    purchasing_power_parity: price.purchasingPowerParity,
    tax_inclusive: price.taxInclusive,
  }
  if (!isRecurring(price)) {
    return {
      type: price.type,
      ...terms,
      price: price.price,
      pay_what_you_want: price.payWhatYouWant,
      suggested_price: price.suggestedPrice,
    }
  }
  const recurrence = {
    payment_frequency_count: price.frequency.count,
    payment_frequency_interval: price.frequency.interval,
    subscription_period_count: price.period.count,
    subscription_period_interval: price.period.interval,
  }
  if (price.type === 'recurring_price') {
    return {
      type: price.type,
      ...terms,
      ...recurrence,
      price: price.price,
      trial_period_days: price.trialPeriodDays,
      trial_amount: price.trialAmount,
      trial_apply_discounts: price.trialApplyDiscounts,
    }
  }
  return {
    type: price.type,
    ...terms,
    ...recurrence,
    fixed_price: price.fixedPrice,
    meters: price.meters.map((priced) => meterPriceView(priced, meters.get(priced.meterId))),
  }
}

/** The price of a meter, and the meter's name. */
const meterPriceView = (priced: MeterPrice, meter: Meter | undefined) => ({
  meter_id: priced.meterId,
  credit_entitlement_id: priced.creditEntitlementId,
  meter_units_per_credit: priced.meterUnitsPerCredit,
  price_per_unit: priced.pricePerUnit,
  free_threshold: priced.freeThreshold,
  name: meter?.name ?? null,
  description: meter?.description ?? null,
  measurement_unit: meter?.measurementUnit ?? null,
})
