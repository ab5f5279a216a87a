import { usageBased } from '../support/wire/products.ts'
import type { Subscriber } from './plan.ts'
import { fresh } from './plan.ts'

type Target = `${string} /${string}`

const price = {
  ...usageBased,
  purchasing_power_parity: false,
  tax_inclusive: null,
}
const settings = {
  expires_after_days: 30,
  overage_behavior: 'carry_deficit',
  price_per_unit: '1.5',
  currency: 'USD',
  rollover_percentage: 50,
  rollover_timeframe_count: 1,
  rollover_timeframe_interval: 'Month',
  max_rollover_count: 2,
}
const filter = {
  conjunction: 'and',
  clauses: [
    { conjunction: 'or', clauses: [{ key: 'n', operator: 'greater_than', value: 1 }] },
    { conjunction: 'and', clauses: [{ key: 'm', operator: 'contains', value: 'x' }] },
  ],
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

/** Every route that takes a body, with one that it accepts. */
export const bodies: Readonly<
  Record<string, (of: Subscriber) => readonly [Target, () => unknown]>
> = {
  'new customer': () => [
    'POST /customers',
    () => ({ email: 'a@example.com', name: 'A', phone_number: '+1', metadata: { a: 1 } }),
  ],
  customer: (of) => [
    `PATCH /customers/${of.customerId}`,
    () => ({ email: 'a@example.com', name: 'A', metadata: { a: 'x' }, phone_number: null }),
  ],
  meter: (of) => [
    'POST /meters',
    () => ({
      name: 'm',
      event_name: of.eventNames[0],
      measurement_unit: 'x',
      description: 'd',
      aggregation: { type: 'sum', key: 'n' },
      filter,
    }),
  ],
  'wallet entry': (of) => [
    `POST /customers/${of.customerId}/wallets/ledger-entries`,
    () => ({
      amount: 5,
      currency: 'USD',
      entry_type: 'credit',
      reason: 'r',
      idempotency_key: fresh('key'),
    }),
  ],
  discount: (of) => [
    'POST /discounts',
    () => ({
      type: 'flat',
      amount: 1,
      name: 'd',
      currency_options: [{ currency: 'USD', max_amount_possible: 5, minimum_subtotal: 1 }],
      customer_eligibility: 'specific',
      restricted_to: [of.productId],
      usage_limit: 3,
      per_customer_usage_limit: 2,
      starts_at: inDays(1),
      expires_at: inDays(2),
      subscription_cycles: 1,
      preserve_on_plan_change: true,
      metadata: { a: 1 },
    }),
  ],
  'new credit entitlement': (of) => [
    'POST /credit-entitlements',
    () => ({
      name: fresh('fuzz'),
      unit: 'x',
      precision: 2,
      ...settings,
      overage_limit: 5,
      overage_enabled: true,
      rollover_enabled: true,
      low_balance_threshold: '3',
      meter_links: [{ meter_id: of.meterIds[0], meter_units_per_credit: '2', free_threshold: 1 }],
    }),
  ],
  'credit entitlement': (of) => [
    `PATCH /credit-entitlements/${of.creditId}`,
    () => ({ name: fresh('fuzz'), unit: 'x', ...settings, overage_limit: 5, description: null }),
  ],
  adjustment: (of) => [
    `POST /credit-entitlements/${of.creditId}/balances/${of.customerId}/ledger-entries`,
    () => ({
      amount: '1.5',
      entry_type: 'credit',
      reason: 'r',
      idempotency_key: fresh('key'),
      expires_at: '2040-01-01T00:00:00Z',
      metadata: { a: true },
    }),
  ],
  product: (of) => [
    'POST /products',
    () => ({
      name: 'p',
      tax_category: 'saas',
      description: 'd',
      metadata: { a: 1 },
      credit_entitlements: [
        {
          credit_entitlement_id: of.creditId,
          credits_amount: '10',
          ...settings,
          low_balance_threshold_percent: 5,
          overage_enabled: true,
          overage_limit: '3.5',
          trial_credits: '1',
          trial_credits_expire_after_trial: true,
        },
      ],
      price: {
        ...price,
        meters: [
          {
            meter_id: of.meterIds[0],
            credit_entitlement_id: of.creditId,
            meter_units_per_credit: '3',
            free_threshold: 7,
          },
        ],
      },
    }),
  ],
  'product change': (of) => [
    `PATCH /products/${of.productId}`,
    () => ({ name: 'p', description: null, metadata: { a: 1 }, credit_entitlements: null }),
  ],
  'short link': (of) => [
    `POST /products/${of.productId}/short_links`,
    () => ({ slug: fresh('s').replaceAll(' ', '-'), static_checkout_params: { quantity: '2' } }),
  ],
  'new brand': () => [
    'POST /brands',
    () => ({
      name: 'b',
      description: 'd',
      url: 'https://example.com',
      support_email: 'a@example.com',
      statement_descriptor: 'B',
    }),
  ],
  'new add-on': () => [
    'POST /addons',
    () => ({ name: 'a', price: 5, currency: 'USD', tax_category: 'saas', description: 'd' }),
  ],
  'new collection': () => [
    'POST /product-collections',
    () => ({
      name: 'c',
      groups: [{ group_name: 'g', status: true, products: [] }],
      on_payment_failure: 'apply_change',
    }),
  ],
  subscription: (of) => [
    'POST /subscriptions',
    () => ({
      billing: { country: 'DE', city: 'B', state: null, street: 's', zipcode: '1' },
      customer: { customer_id: of.customerId },
      product_id: of.productId,
      quantity: 1,
      trial_period_days: 0,
      metadata: { a: 'b' },
    }),
  ],
  'subscription change': (of) => [
    `PATCH /subscriptions/${of.subscriptionId}`,
    () => ({
      billing: { country: 'FR' },
      metadata: { a: 1 },
      customer_name: 'A',
      tax_id: 'x',
      next_billing_date: inDays(90),
      cancel_at_next_billing_date: false,
      credit_entitlement_cart: [
        {
          credit_entitlement_id: of.creditId,
          credits_amount: '5',
          overage_limit: '2',
          expires_after_days: 9,
          low_balance_threshold_percent: 5,
          max_rollover_count: 1,
          rollover_percentage: 5,
          rollover_enabled: true,
          overage_enabled: false,
        },
      ],
    }),
  ],
  'plan change': (of) => [`POST /subscriptions/${of.subscriptionId}/change-plan`, planChange(of)],
  'plan preview': (of) => [
    `POST /subscriptions/${of.subscriptionId}/change-plan/preview`,
    planChange(of),
  ],
  'webhook endpoint': () => [
    'POST /webhooks',
    () => ({
      url: 'http://127.0.0.1:9/',
      disabled: true,
      headers: { 'X-A': 'b' },
      rate_limit: 3,
      filter_types: ['credit.added'],
      metadata: { a: 'b' },
      description: 'd',
      idempotency_key: fresh('key'),
    }),
  ],
  clock: () => ['POST /clock/advance', () => ({ by: 'PT1S' })],
  ingest: (of) => [
    'POST /events/ingest',
    () => ({
      events: [
        {
          event_id: fresh('fuzz'),
          customer_id: of.customerId,
          event_name: of.eventNames[0],
          timestamp: new Date().toISOString(),
          metadata: { n: 1, deep: { a: [1] } },
        },
      ],
    }),
  ],
}

const planChange = (of: Subscriber) => () => ({
  product_id: of.productId,
  quantity: 1,
  proration_billing_mode: 'do_not_bill',
  effective_at: 'immediately',
  on_payment_failure: 'prevent_change',
  metadata: { a: 1 },
})

/** Every list, and what it can be filtered by. */
export function lists(of: Subscriber): readonly (readonly [`/${string}`, readonly string[]])[] {
  const balances: `/${string}` = `/credit-entitlements/${of.creditId}/balances`
  const ledger = ['transaction_type', 'start_date', 'end_date', 'limit']
  const dates = ['created_at_gte', 'created_at_lte']
  const subscriptions = ['brand_id', 'customer_id', 'product_id', 'status', ...dates]
  return [
    ['/customers', ['email', 'name', ...dates]],
    [`/customers/${of.customerId}/wallets/ledger-entries`, ['currency']],
    ['/meters', ['archived']],
    ['/credit-entitlements', ['deleted']],
    [balances, ['customer_id']],
    [`${balances}/${of.customerId}`, []],
    [`${balances}/${of.customerId}/grants`, ['status']],
    [`${balances}/${of.customerId}/ledger`, ledger],
    ['/discounts', ['active', 'code', 'discount_type', 'product_id']],
    ['/products', ['archived', 'brand_id', 'recurring']],
    ['/products/short_links', ['product_id']],
    [`/products/${of.productId}/localized-prices`, []],
    ['/brands', ['include_archived']],
    ['/addons', []],
    ['/product-collections', ['archived', 'brand_id']],
    ['/subscriptions', [...subscriptions, 'cancel_at_next_billing_date']],
    [`/subscriptions/${of.subscriptionId}/usage-history`, ['start_date', 'end_date', 'meter_id']],
    ['/events', ['customer_id', 'event_name', 'meter_id', 'start', 'end']],
    ['/webhooks', ['limit', 'iterator']],
  ]
}

/** Paths in which any text can be put at each colon. */
export const paths: readonly string[] = [
  ...['/:', '/customers/:', '/meters/:', '/meters/:/unarchive', '/products/:', '/events/:'],
  ...['/events/:/explanation', '/credit-ledger-entries/:/explanation', '/events/:/void'],
  ...['/customers/:/credit-entitlements', '/subscriptions/:/change-plan/scheduled'],
  ...['/credit-entitlements/:', '/credit-entitlements/:/undelete'],
  ...['/credit-entitlements/:/balances', '/credit-entitlements/:/balances/:'],
  ...['grants', 'ledger', 'ledger-entries'].map((of) => `/credit-entitlements/:/balances/:/${of}`),
  ...['/subscriptions/:', '/subscriptions/:/credit-usage', '/subscriptions/:/:'],
  ...['/customers/:/wallets', '/customers/:/wallets/ledger-entries'],
  ...['/discounts/:', '/discounts/code/:', '/discounts/:/customers', '/discounts/:/customers/:'],
  ...['/webhooks/:', '/webhooks/:/secret', '/webhooks/:/headers'],
  ...['/webhooks/:/messages', '/webhooks/:/messages/:/attempts', '/webhooks/:/messages/:/resend'],
  ...['/brands/:', '/brands/:/archive', '/addons/:', '/s/:', '/product-collections/:'],
  ...['/product-collections/:/unarchive', '/product-collections/:/groups/:'],
  ...['/product-collections/:/groups/:/items/:', '/products/:/unarchive'],
  ...['/products/:/short_links', '/products/:/localized-prices/:'],
  '/webhooks/:/secret/rotate',
]
