import type { AnswerBody, Call } from '../../support/edge/call.ts'

/** Asks one route, notes the answer, and hands its body on. */
export type Ask = (...asked: Parameters<Call>) => Promise<AnswerBody>

/** A meter, two credits of which one has every setting, and a customer; each asked for by `ask`. */
export async function openCatalog(ask: Ask) {
  const metered = {
    name: 'Tokens',
    event_name: 'completion',
    aggregation: { type: 'sum', key: 'tokens' },
    measurement_unit: 'token',
    description: 'of text',
    filter: { conjunction: 'and', clauses: [{ key: 'n', operator: 'equals', value: 1 }] },
  }
  await ask(`GET /meters/${(await ask('POST /meters', metered)).id}`)
  const meter = (await ask('POST /meters', { ...metered, description: null, filter: null })).id
  const link = { meter_id: meter, meter_units_per_credit: '100.0', free_threshold: 7 }
  const credit = { name: 'Credits', unit: 'credit', precision: 2 }
  const full = await ask('POST /credit-entitlements', {
    ...credit,
    ...everySetting,
    rollover_enabled: true,
    overage_enabled: true,
    meter_links: [link],
  })
  await ask(`GET /credit-entitlements/${full.id}`)
  const bare = { ...credit, name: 'Bare', overage_enabled: false, rollover_enabled: false }
  const { id } = await ask('POST /credit-entitlements', bare)
  const change = { name: 'Changed', price_per_unit: '1.50', currency: 'USD', overage_limit: 9 }
  await ask(`PATCH /credit-entitlements/${id}`, { ...change, description: null, unit: null })
  await ask('GET /credit-entitlements')
  const made = await ask('POST /customers', {
    name: 'Ada',
    email: 'ada@example.com',
    phone_number: '+44',
    metadata: { tier: 'gold' },
  })
  const path = `/customers/${made.customer_id}` as const
  await ask(`PATCH ${path}`, { name: null, phone_number: null, metadata: { a: 1, bb: true } })
  await ask(`GET ${path}`)
  return { meter, full: full.id, bare: id, customer: made.customer_id }
}

const everySetting = {
  description: 'paid ahead',
  expires_after_days: 90,
  max_rollover_count: 3,
  overage_behavior: 'carry_deficit',
  overage_limit: 500,
  price_per_unit: '0.0250',
  currency: 'EUR',
  rollover_percentage: 40,
  rollover_timeframe_count: 2,
  rollover_timeframe_interval: 'Month',
  low_balance_threshold: '12.50',
}

/** Every setting of a credit entitlement that a product can override. */
export const everyOverride = {
  credits_amount: '1000.50',
  currency: 'USD',
  expires_after_days: 30,
  low_balance_threshold_percent: 20,
  max_rollover_count: 1,
  overage_behavior: 'invoice_at_billing',
  overage_enabled: true,
  overage_limit: '50.0',
  price_per_unit: '2.0',
  proration_behavior: 'prorate',
  rollover_enabled: true,
  rollover_percentage: 25,
  rollover_timeframe_count: 1,
  rollover_timeframe_interval: 'Week',
  trial_credits: '10',
  trial_credits_expire_after_trial: true,
}
