import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Subscriber } from './plan.ts'
import { fresh, subscriber } from './plan.ts'
import type { Answer } from './world.ts'
import { world } from './world.ts'

const at = world()
let one: Subscriber
beforeAll(async () => {
  one = await subscriber(at)
})

/** What has broken parsers, stores and calendars before. */
const nasty = fc.constantFrom<unknown>(
  ...[null, true, false, 0, -0, -1, 1, 0.1, 1e-7, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, 5e-324],
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u2028',
    '😀',
    '%00',
    "'; drop table x; --",
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '../..', 'NaN', '-0', '1e5', '+1'],
  ...['0', '1', '0.0', '00.10', '9'.repeat(400), `0.${'0'.repeat(300)}1`, '99999.999999999999'],
  ...['9'.repeat(10), '9'.repeat(11), '9'.repeat(30), '1.0000000000000000000000000001'],
  ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z', '2026-02-30T00:00:00Z'],
  ...['2026-06-30T23:59:60Z', '2026-01-01T00:00:00+23:59', '-262143-01-01T00:00:00Z', '1e3'],
  ...['x'.repeat(255), 'x'.repeat(256), 'é'.repeat(255), 'x'.repeat(5000), [], {}, [[]], [null]],
  ...['credit', 'debit', 'count', 'sum', 'max', 'last', 'and', 'or', 'equals', 'contains', 'USD'],
  ...['usage_based_price', 'one_time_price', 'recurring_price', 'Day', 'Year', 'active', 'true'],
  ...['http://localhost', 'http://[::1]:1/', 'https://user:pw@host', 'ftp://x', 'http://', '//x'],
)
const key = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    '',
    'a',
    '\0',
    '\ud800',
    'x'.repeat(41),
    'x'.repeat(101),
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    { weight: 6, arbitrary: nasty },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    { weight: 1, arbitrary: fc.double() },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.dictionary(key, tie('value'), { maxKeys: 4 }) },
  ),
})).value

/** Paths into a body: every place where something else can stand. */
function placesIn(body: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof body !== 'object' || body === null) return [path]
  return [
    path,
    ...Object.entries(body).flatMap(([name, inner]) => placesIn(inner, [...path, name])),
  ]
}

function replaced(body: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  if (Array.isArray(body)) {
    return body.map((item, index) => (String(index) === name ? replaced(item, rest, by) : item))
  }
  const fields = Object.entries(body as object)
  return Object.fromEntries(
    fields.map(([field, inner]) => [field, field === name ? replaced(inner, rest, by) : inner]),
  )
}

/** A body that is right but for a few places. */
const nearly = (body: unknown): fc.Arbitrary<unknown> =>
  fc
    .array(fc.tuple(fc.constantFrom(...placesIn(body)), value), { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((sofar, [path, by]) => attempt(sofar, path, by), body))

function attempt(body: unknown, path: readonly string[], by: unknown): unknown {
  try {
    return replaced(body, path, by)
  } catch {
    // An earlier change has taken the place away.
    return body
  }
}

const price = {
  type: 'usage_based_price',
  ...{ currency: 'USD', discount: 0, fixed_price: 0, purchasing_power_parity: false },
  ...{ payment_frequency_count: 1, payment_frequency_interval: 'Month', tax_inclusive: null },
  ...{ subscription_period_count: 1, subscription_period_interval: 'Year' },
}
const settings = {
  ...{ expires_after_days: 30, overage_behavior: 'carry_deficit', price_per_unit: '1.5' },
  ...{ currency: 'USD', rollover_percentage: 50, rollover_timeframe_count: 1 },
  ...{ rollover_timeframe_interval: 'Month', max_rollover_count: 2 },
}

/** Every route that takes a body, with one that it accepts. */
const writes = (): readonly (readonly [`${string} /${string}`, () => unknown])[] => [
  [
    'POST /customers',
    () => ({ email: 'a@example.com', name: 'A', phone_number: '+1', metadata: { a: 1 } }),
  ],
  [
    `PATCH /customers/${one.customerId}`,
    () => ({ email: 'a@example.com', name: 'A', metadata: { a: 'x' } }),
  ],
  [
    'POST /meters',
    () => ({
      ...{ name: 'm', event_name: one.eventNames[0], measurement_unit: 'x', description: 'd' },
      aggregation: { type: 'sum', key: 'n' },
      filter: {
        conjunction: 'and',
        clauses: [
          { conjunction: 'or', clauses: [{ key: 'n', operator: 'greater_than', value: 1 }] },
        ],
      },
    }),
  ],
  [
    'POST /credit-entitlements',
    () => ({
      ...{
        name: fresh('fuzz'),
        unit: 'x',
        precision: 2,
        overage_enabled: true,
        rollover_enabled: true,
      },
      ...settings,
      ...{ overage_limit: 5, low_balance_threshold: '3' },
      meter_links: [{ meter_id: one.meterIds[0], meter_units_per_credit: '2', free_threshold: 1 }],
    }),
  ],
  [
    `PATCH /credit-entitlements/${one.creditId}`,
    () => ({ name: fresh('fuzz'), unit: 'x', ...settings, overage_limit: 5, description: null }),
  ],
  [
    `POST /credit-entitlements/${one.creditId}/balances/${one.customerId}/ledger-entries`,
    () => ({
      ...{ amount: '1.5', entry_type: 'credit', reason: 'r', idempotency_key: fresh('key') },
      ...{ expires_at: '2040-01-01T00:00:00Z', metadata: { a: true } },
    }),
  ],
  [
    'POST /products',
    () => ({
      ...{ name: 'p', tax_category: 'saas', description: 'd', metadata: { a: 1 } },
      credit_entitlements: [
        {
          ...{ credit_entitlement_id: one.creditId, credits_amount: '10', ...settings },
          ...{ low_balance_threshold_percent: 5, overage_enabled: true, overage_limit: '3.5' },
          ...{ trial_credits: '1', trial_credits_expire_after_trial: true },
        },
      ],
      price: {
        ...price,
        meters: [
          {
            ...{ meter_id: one.meterIds[0], credit_entitlement_id: one.creditId },
            ...{ meter_units_per_credit: '3', free_threshold: 7 },
          },
        ],
      },
    }),
  ],
  [
    'POST /subscriptions',
    () => ({
      billing: { country: 'DE', city: 'B', state: null, street: 's', zipcode: '1' },
      customer: { customer_id: one.customerId },
      ...{ product_id: one.productId, quantity: 1, trial_period_days: 0, metadata: { a: 'b' } },
    }),
  ],
  [
    'POST /webhooks',
    () => ({
      url: 'http://127.0.0.1:9/',
      disabled: true,
      headers: { 'X-A': 'b' },
      filter_types: ['credit.added'],
      metadata: { a: 'b' },
      rate_limit: 3,
      description: 'd',
      idempotency_key: fresh('key'),
    }),
  ],
  [
    'POST /events/ingest',
    () => ({
      events: [
        {
          ...{
            event_id: fresh('fuzz'),
            customer_id: one.customerId,
            event_name: one.eventNames[0],
          },
          ...{ timestamp: new Date().toISOString(), metadata: { n: 1, deep: { a: [1] } } },
        },
      ],
    }),
  ],
]

const reads = (): readonly (readonly [`/${string}`, readonly string[]])[] => {
  const balances: `/${string}` = `/credit-entitlements/${one.creditId}/balances`
  return [
    ['/customers', ['email', 'name', 'created_at_gte', 'created_at_lte']],
    ['/meters', ['archived']],
    ['/credit-entitlements', ['deleted']],
    [balances, ['customer_id']],
    [`${balances}/${one.customerId}`, []],
    [`${balances}/${one.customerId}/grants`, ['status']],
    [
      `${balances}/${one.customerId}/ledger`,
      ['transaction_type', 'start_date', 'end_date', 'limit'],
    ],
    ['/products', ['archived', 'brand_id', 'recurring']],
    [
      '/subscriptions',
      [
        'brand_id',
        'customer_id',
        'product_id',
        'status',
        'created_at_gte',
        'cancel_at_next_billing_date',
      ],
    ],
    ['/events', ['customer_id', 'event_name', 'meter_id', 'start', 'end']],
    ['/webhooks', ['limit', 'iterator']],
  ]
}

const templates = (): readonly string[] => {
  const under = ['', '/grants', '/ledger', '/ledger-entries'].map(
    (rest) => `/credit-entitlements/:/balances/:${rest}`,
  )
  const alone = [
    '/customers/:',
    '/meters/:',
    '/meters/:/unarchive',
    '/credit-entitlements/:',
    '/credit-entitlements/:/undelete',
    '/products/:',
    '/subscriptions/:',
    '/subscriptions/:/credit-usage',
    '/events/:',
    '/webhooks/:',
    '/webhooks/:/secret',
    '/webhooks/:/headers',
    '/:',
    '/credit-entitlements/:/balances',
  ]
  return [...under, ...alone]
}

/** As a client would send it: half a surrogate pair has no UTF-8. */
const wellFormed = (text: string): string => Buffer.from(text).toString()

const seen = new Map<number, number>()
function judge(answer: Answer, what: string): void {
  seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
  expect(answer.status, `${what} → ${answer.text.slice(0, 300)}`).toBeLessThan(500)
  expect(answer.headers.get('x-request-id')).toBeTruthy()
  if (answer.status < 400) return
  expect(Object.keys(answer.body), what).toEqual(['code', 'message'])
  expect(answer.body.code).toMatch(/^[A-Z_]+$/)
  expect(answer.body.message).toMatch(/\S.*\.$/s)
  expect(answer.headers.get('x-should-retry')).toBe('false')
}

const runs = { numRuns: Number(process.env['FUZZ_RUNS'] ?? 150) }

describe('whatever a caller sends', () => {
  it.each(Array.from({ length: 10 }, (_, index) => index))(
    'as a body (%i), gets an answer below 500',
    async (index) => {
      const [target = 'GET /', body = () => null] = writes()[index] ?? []
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            { weight: 9, arbitrary: fc.constant(null).chain(() => nearly(body())) },
            { weight: 1, arbitrary: value },
          ),
          async (sent) => {
            judge(
              await at.call(target, { body: sent === undefined ? null : sent }),
              `${target} ${JSON.stringify(sent)}`,
            )
          },
        ),
        runs,
      )
    },
  )

  it('as a query, gets an answer below 500', async () => {
    const text = fc.oneof(
      nasty.map(String),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(one.customerId, one.meterIds[0] ?? ''),
    )
    const query = fc.constantFrom(...reads()).chain(([path, names]) =>
      fc.record({
        path: fc.constant(path),
        pairs: fc.array(fc.tuple(fc.constantFrom('page_size', 'page_number', ...names), text), {
          maxLength: 4,
        }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(query, async ({ path, pairs }) => {
        const search = pairs
          .map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(value))}`)
          .join('&')
        judge(await at.call(`GET ${path}?${search}`), `${path}?${search}`)
      }),
      { numRuns: runs.numRuns * 5 },
    )
  })

  it('as a path, gets an answer below 500', async () => {
    const text = fc.oneof(
      fc.constantFrom(
        one.customerId,
        one.creditId,
        one.meterIds[0] ?? '',
        one.productId,
        one.subscriptionId,
      ),
      nasty.map((sent) => encodeURIComponent(wellFormed(String(sent)))),
      fc.constantFrom(
        '%',
        '%ff',
        '%ED%A0%80',
        '%2F',
        '%2e%2e',
        '%00',
        'a;b',
        'a?b',
        'x'.repeat(3000),
      ),
      fc.string({ maxLength: 20 }).map((sent) => encodeURIComponent(wellFormed(sent))),
    )
    const path = fc
      .tuple(fc.constantFrom(...templates()), text, text)
      .map(([template, first, second]) =>
        template.replace(':', () => first).replace(':', () => second),
      )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'HEAD', 'OPTIONS'),
        path,
        async (method, target) => {
          const answer = await at.call(
            `${method} /${target.slice(1)}`,
            method === 'POST' || method === 'PATCH' ? { body: {} } : {},
          )
          if (method !== 'HEAD') judge(answer, `${method} ${target}`)
          else expect(answer.status).toBeLessThan(500)
        },
      ),
      { numRuns: runs.numRuns * 5 },
    )
  })

  it('leaves the server whole', async () => {
    console.log(seen)
    const position = await one.use({}, {})
    await one.balance(position)
    const ready = await fetch(`${at.url('ops')}/readyz`)
    expect([ready.status, await ready.text()]).toEqual([200, expect.any(String)])
    expect((await at.metrics()).get('sluice_unaccounted_events')).toBe(0)
    const bad = at.logged.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line))
    expect(bad).toEqual([])
  })
})
