import { expect, it } from 'vitest'
import { at } from '../here.ts'
import { fresh, ingest, subscriber } from '../plan.ts'

const minute = 60_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

it('counts, adds up, and keeps the highest and the latest', async () => {
  const aggregations = ['count', 'sum', 'max', 'last'] as const
  const events = [
    { timestamp: ago(3 * minute), metadata: { n: 3 } },
    { timestamp: ago(1 * minute), metadata: { n: 5 } },
    { timestamp: ago(2 * minute), metadata: { n: '9.25' } },
  ]
  const balances = await Promise.all(
    aggregations.map(async (type) => {
      const one = await subscriber(at, { meters: [{ aggregation: { type, key: 'n' } }] })
      const position = await one.use(...events)
      return (await one.balance(position)).balance
    }),
  )
  expect(balances).toEqual(['97', '82.75', '90.75', '95'])
})

it('counts only what passes the filter', async () => {
  const one = await subscriber(at, {
    meters: [
      {
        filter: {
          conjunction: 'and',
          clauses: [
            {
              conjunction: 'or',
              clauses: [
                { key: 'model', operator: 'equals', value: 'large' },
                { key: 'model', operator: 'contains', value: 'xl' },
              ],
            },
            { conjunction: 'and', clauses: [{ key: 'ms', operator: 'greater_than', value: 10 }] },
            {
              conjunction: 'and',
              clauses: [{ key: 'trial', operator: 'not_equals', value: true }],
            },
          ],
        },
      },
    ],
  })
  const position = await one.spend(
    { model: 'large', ms: 11, trial: false },
    { model: 'the xl one', ms: '10.5', trial: 'false' },
    { model: 'large', ms: 10, trial: false },
    { model: 'large', ms: 11, trial: true },
    { model: 'large', ms: 11 },
    { model: 'small', ms: 11, trial: false },
    { ms: 11, trial: false },
    null,
  )
  expect((await one.balance(position)).balance).toBe('98')
})

it('charges what lies above the free threshold', async () => {
  const one = await subscriber(at, {
    meters: [
      { aggregation: { type: 'sum', key: 'n' }, freeThreshold: 1000, unitsPerCredit: '100' },
    ],
  })
  const first = await one.spend({ n: 999 })
  expect((await one.balance(first)).balance).toBe('100')
  const second = await one.spend({ n: 1501 })
  expect((await one.balance(second)).balance).toBe('85')
})

it('rounds once and keeps the remainder: a thousand thirds', async () => {
  const one = await subscriber(at, {
    meters: [{ unitsPerCredit: '3' }],
    mapping: { credits_amount: '400' },
  })
  const seen: string[] = []
  for (let sent = 0; sent < 10; sent += 1) {
    const position = await one.use(...Array.from({ length: 100 }, () => ({})))
    seen.push((await one.balance(position)).balance)
  }
  expect(seen).toEqual([
    ...['366.67', '333.34', '300', '266.67', '233.34'],
    ...['200', '166.67', '133.34', '100', '66.67'],
  ])
})

it('lets several meters draw on one entitlement, each at its own rate', async () => {
  const one = await subscriber(at, {
    meters: [
      { unitsPerCredit: '2' },
      { aggregation: { type: 'sum', key: 'n' }, unitsPerCredit: '0.5' },
    ],
  })
  const [counted = '', summed = ''] = one.eventNames
  const position = await one.use(
    { event_name: counted },
    { event_name: counted },
    { event_name: summed, metadata: { n: 1.25 } },
    { event_name: 'of nobody', metadata: { n: 50 } },
  )
  expect((await one.balance(position)).balance).toBe('96.5')
  const deducted = (await one.ledger(position)).filter((entry) => !entry.is_credit)
  expect(deducted.map(({ reference_id: meter, amount }) => [meter, amount])).toEqual(
    expect.arrayContaining([
      [one.meterIds[0], '1'],
      [one.meterIds[1], '2.5'],
    ]),
  )
})

it('feeds every meter that an event matches', async () => {
  const one = await subscriber(at)
  const client = at.client()
  const twin = await client.meters.create({
    name: fresh('twin'),
    event_name: one.eventNames[0] ?? '',
    aggregation: { type: 'sum', key: 'n' },
    measurement_unit: 'n',
  })
  const credit = await client.creditEntitlements.create(
    {
      name: fresh('linked'),
      unit: 'x',
      precision: 0,
      overage_enabled: true,
      price_per_unit: '1',
      currency: 'USD',
      rollover_enabled: false,
    },
    {
      body: {
        name: fresh('linked'),
        unit: 'x',
        precision: 0,
        overage_enabled: true,
        price_per_unit: '1',
        currency: 'USD',
        rollover_enabled: false,
        meter_links: [{ meter_id: twin.id, meter_units_per_credit: '1' }],
      },
    },
  )
  const position = await one.spend({ n: 7 })
  expect((await one.balance(position)).balance).toBe('99')
  const linked = await at.call(`GET /credit-entitlements/${credit.id}/balances/${one.customerId}`, {
    headers: { 'Sluice-After': position },
  })
  expect(linked.body).toMatchObject({ balance: '0', overage: '7' })
})

it.each([
  { terms: { overage_enabled: false }, balance: '0', overage: '0' },
  { terms: { overage_enabled: true }, balance: '0', overage: '50' },
  { terms: { overage_enabled: true, overage_limit: '20' }, balance: '0', overage: '20' },
])('goes into overage as far as $terms say', async ({ terms, balance, overage }) => {
  const one = await subscriber(at, {
    meters: [{ aggregation: { type: 'sum', key: 'n' } }],
    mapping: { ...terms, price_per_unit: '1', currency: 'USD' },
  })
  const position = await one.spend({ n: 150 })
  expect(await one.balance(position)).toEqual({ balance, overage })
  const usage = await at.client().subscriptions.retrieveCreditUsage(one.subscriptionId)
  const limit = terms.overage_limit ?? null
  expect(usage.items).toEqual([
    {
      balance,
      credit_entitlement_id: one.creditId,
      credit_entitlement_name: expect.any(String),
      limit_reached: limit !== null,
      overage,
      overage_enabled: terms.overage_enabled,
      overage_limit: limit,
      remaining_headroom: limit === null ? null : '0',
      unit: 'credit',
    },
  ])
})

it('gives back what falls, as a refund that refers to the meter', async () => {
  const last = await subscriber(at, { meters: [{ aggregation: { type: 'last', key: 'seats' } }] })
  const sum = await subscriber(at, { meters: [{ aggregation: { type: 'sum', key: 'n' } }] })
  await last.balance(await last.spend({ seats: 30 }))
  await sum.ledger(await sum.spend({ n: 30 }))
  await last.ledger(await last.spend({ seats: 30 }))
  for (const [one, metadata] of [
    [last, { seats: 12 }],
    [sum, { n: -18 }],
  ] as const) {
    const position = await one.spend(metadata)
    expect(await one.balance(position)).toEqual({ balance: '88', overage: '0' })
    const [refund, deducted] = await one.ledger(position)
    expect(deducted).toMatchObject({
      transaction_type: 'credit_deducted',
      is_credit: false,
      amount: '30',
      balance_after: '70',
    })
    expect(refund).toMatchObject({
      transaction_type: 'refund',
      is_credit: true,
      amount: '18',
      balance_before: '70',
      balance_after: '88',
      reference_type: 'meter',
      reference_id: one.meterIds[0],
      grant_id: deducted?.grant_id,
    })
  }
})

it('relieves overage before it gives back to grants', async () => {
  const one = await subscriber(at, {
    meters: [{ aggregation: { type: 'last', key: 'n' } }],
    mapping: { overage_enabled: true, price_per_unit: '1', currency: 'USD' },
  })
  await one.ledger(await one.spend({ n: 130 }))
  expect(await one.balance()).toEqual({ balance: '0', overage: '30' })
  expect(await one.balance(await one.spend({ n: 110 }))).toEqual({ balance: '0', overage: '10' })
  expect(await one.balance(await one.spend({ n: 95 }))).toEqual({ balance: '5', overage: '0' })
})

it('charges customers without a subscription by the links of the entitlement', async () => {
  const client = at.client()
  const eventName = fresh('linked')
  const meter = await client.meters.create({
    name: fresh('m'),
    event_name: eventName,
    aggregation: { type: 'count' },
    measurement_unit: 'x',
  })
  const credit = await at.call('POST /credit-entitlements', {
    body: {
      ...{
        name: fresh('linked'),
        unit: 'x',
        precision: 3,
        overage_enabled: false,
        rollover_enabled: false,
      },
      meter_links: [{ meter_id: meter.id, meter_units_per_credit: '8', free_threshold: 2 }],
    },
  })
  expect(credit.body).toMatchObject({
    meter_links: [{ meter_id: meter.id, meter_units_per_credit: '8', free_threshold: 2 }],
  })
  const customer = await client.customers.create({ email: 'b@example.com', name: 'B' })
  const path = { credit_entitlement_id: credit.body.id }
  await client.creditEntitlements.balances.createLedgerEntry(customer.customer_id, {
    ...path,
    amount: '5',
    entry_type: 'credit',
  })
  const position = await ingest(
    at,
    Array.from({ length: 11 }, () => ({
      customer_id: customer.customer_id,
      event_name: eventName,
    })),
  )
  const balance = await client.creditEntitlements.balances.retrieve(customer.customer_id, path, {
    headers: { 'Sluice-After': position },
  })
  expect(balance.balance).toBe('3.875')
})

it('measures nothing for an archived meter, and again when it is back', async () => {
  const one = await subscriber(at)
  const client = at.client()
  const [meter = ''] = one.meterIds
  expect((await one.balance(await one.use({}))).balance).toBe('99')
  await client.meters.archive(meter)
  expect((await one.balance(await one.use({}, {}))).balance).toBe('99')
  await client.meters.unarchive(meter)
  expect((await one.balance(await one.use({}))).balance).toBe('98')
})

it('counts what happened up to an hour ago, and up to five minutes ahead', async () => {
  const one = await subscriber(at)
  // Before the subscription began: by up to five minutes it counts, earlier it matches nothing.
  const position = await one.use(
    { timestamp: ago(59 * minute) },
    { timestamp: ago(6 * minute) },
    { timestamp: ago(4 * minute) },
    { timestamp: ago(-4 * minute) },
    { timestamp: null },
  )
  expect((await one.balance(position)).balance).toBe('97')
})

it('takes an id once, however often it is sent', async () => {
  const one = await subscriber(at)
  const events = Array.from({ length: 50 }, () => ({ event_id: fresh('again') }))
  const positions = await Promise.all(Array.from({ length: 8 }, () => one.use(...events)))
  expect((await one.balance(positions.join(','))).balance).toBe('50')
  const again = await at.client().usageEvents.ingest({
    events: events.map((event) => ({
      ...event,
      customer_id: one.customerId,
      event_name: one.eventNames[0] ?? '',
    })),
  })
  expect(again.ingested_count).toBe(0)
  const metrics = await at.metrics()
  expect(metrics.get('sluice_unaccounted_events')).toBe(0)
})
