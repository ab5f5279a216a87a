import type { Call } from '../edge/call.ts'

// Bodies of products in their shortest form, and the nouns that these may name.

export const monthly = {
  payment_frequency_count: 1,
  payment_frequency_interval: 'Month',
  subscription_period_count: 1,
  subscription_period_interval: 'Year',
} as const
export const terms = { currency: 'USD', discount: 0 } as const
export const oneTime = { type: 'one_time_price', ...terms, price: 500 }
export const recurring = { type: 'recurring_price', ...terms, ...monthly, price: 900 }
export const usageBased = {
  type: 'usage_based_price',
  fixed_price: 0,
  ...terms,
  ...monthly,
} as const
export const base = { name: 'Pro', tax_category: 'saas' }
export const defaults = { purchasing_power_parity: false, tax_inclusive: null }

/**
 * Makes two meters and two credits of a business: one credit of 2 decimals that products inherit
 * much from, and one without decimals.
 */
export async function sampleIds(call: Call) {
  const meter = {
    name: 'Tokens',
    event_name: 'completion',
    aggregation: { type: 'count' },
    measurement_unit: 'token',
    description: 'of text',
  }
  const credit = {
    name: 'Credits',
    unit: 'credit',
    precision: 2,
    expires_after_days: 30,
    overage_enabled: true,
    overage_limit: 100,
    price_per_unit: '1.5',
    currency: 'USD',
    rollover_enabled: true,
    rollover_percentage: 50,
  }
  return {
    meter: (await call('POST /meters', meter)).body.id,
    other: (await call('POST /meters', { ...meter, name: 'Other' })).body.id,
    credit: (await call('POST /credit-entitlements', credit)).body.id,
    coarse: (await call('POST /credit-entitlements', { ...credit, name: 'C', precision: 0 })).body
      .id,
  }
}
