import { limits } from '../limits.ts'
import { plainDecimalOrNull } from '../rules/commerce/catalog/decimals.ts'
import type {
  MeterPrice,
  OneTimePrice,
  Price,
  RecurringPrice,
  UsageBasedPrice,
} from '../rules/commerce/catalog/price.ts'
import type { Meter } from '../rules/meter/meter.ts'
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

/** [resources#prices]: what has a default may be left out, or be null. */
export type PriceBody = OneTimePriceBody | RecurringPriceBody | UsageBasedPriceBody

type Optional<T, Keys extends keyof T> = Omit<T, Keys> & {
  readonly [Key in Keys]?: T[Key] | null
}
type Always = 'purchasing_power_parity' | 'tax_inclusive'
type OneTimePriceBody = Optional<OneTimePrice, Always | 'pay_what_you_want' | 'suggested_price'>
type RecurringPriceBody = Optional<
  RecurringPrice,
  Always | 'trial_period_days' | 'trial_amount' | 'trial_apply_discounts'
>
type UsageBasedPriceBody = Omit<Optional<UsageBasedPrice, Always>, 'meters'> & {
  readonly meters?: readonly MeterPriceBody[] | null
}

/** [resources#prices] */
export type MeterPriceBody = Optional<MeterPrice, Exclude<keyof MeterPrice, 'meter_id'>>

/** The same with what the meter is called. */
export interface MeterPriceView extends MeterPrice {
  readonly name: string | null
  readonly description: string | null
  readonly measurement_unit: string | null
}

export type PriceView =
  | OneTimePrice
  | RecurringPrice
  | (Omit<UsageBasedPrice, 'meters'> & { readonly meters: readonly MeterPriceView[] })

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

/** Fields that other kinds have: refused rather than ignored. */
function foreignTo(kind: string, own: object): Readonly<Record<string, Definition>> {
  const names = Object.values(kinds).flatMap(({ properties }) => Object.keys(properties))
  const foreign = names.filter((name) => !Object.hasOwn(own, name))
  return Object.fromEntries(foreign.map((name) => [name, refused(`does not go with ${kind}`)]))
}

// `oneOf` would only say that no kind fits; so the type chooses, and the error names a field.
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

/** The price that a body asks for, with its defaults, whole. [resources#prices] */
export function priceOf(body: PriceBody): Price {
  const always = {
    currency: body.currency,
    discount: body.discount,
    purchasing_power_parity: body.purchasing_power_parity ?? false,
    tax_inclusive: body.tax_inclusive ?? null,
  }
  if (body.type === 'one_time_price') {
    return {
      type: body.type,
      ...always,
      price: body.price,
      pay_what_you_want: body.pay_what_you_want ?? false,
      suggested_price: body.suggested_price ?? null,
    }
  }
  const recurring = {
    payment_frequency_count: body.payment_frequency_count,
    payment_frequency_interval: body.payment_frequency_interval,
    subscription_period_count: body.subscription_period_count,
    subscription_period_interval: body.subscription_period_interval,
  }
  if (body.type === 'recurring_price') {
    return {
      type: body.type,
      ...always,
      ...recurring,
      price: body.price,
      trial_period_days: body.trial_period_days ?? 0,
      trial_amount: body.trial_amount ?? null,
      trial_apply_discounts: body.trial_apply_discounts ?? false,
    }
  }
  const meters = (body.meters ?? []).map(meterPriceOf)
  return { type: body.type, ...always, ...recurring, fixed_price: body.fixed_price, meters }
}

function meterPriceOf(body: MeterPriceBody): MeterPrice {
  return {
    meter_id: body.meter_id,
    credit_entitlement_id: body.credit_entitlement_id ?? null,
    meter_units_per_credit: plainDecimalOrNull(body.meter_units_per_credit),
    price_per_unit: plainDecimalOrNull(body.price_per_unit),
    free_threshold: body.free_threshold ?? null,
  }
}

export function priceView(price: Price, meters: ReadonlyMap<string, Meter>): PriceView {
  if (price.type !== 'usage_based_price') return price
  return { ...price, meters: price.meters.map(meterPriceView) }

  function meterPriceView(priced: MeterPrice): MeterPriceView {
    const meter = meters.get(priced.meter_id)
    return {
      ...priced,
      name: meter?.name ?? null,
      description: meter?.description ?? null,
      measurement_unit: meter?.measurementUnit ?? null,
    }
  }
}
