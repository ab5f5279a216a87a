import { expect, it } from 'vitest'
import { at } from '../here.ts'
import { onceMeasured } from '../once-measured.ts'
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

it('takes the latest by time, then by receipt, then by id', async () => {
  const one = await subscriber(at, { meters: [{ aggregation: { type: 'last', key: 'n' } }] })
  const timestamp = ago(minute)
  const prefix = fresh('tie')
  await one.balance(
    await one.use(
      { event_id: `${prefix} b`, timestamp, metadata: { n: 1 } },
      { event_id: `${prefix} a`, timestamp, metadata: { n: 2 } },
      { timestamp: ago(2 * minute), metadata: { n: 3 } },
      { timestamp: ago(0), metadata: { n: 'four' } },
    ),
  )
  // Two partitions of Kafka may take the events of one request a millisecond apart.
  const [a, b] = await Promise.all([receipt(`${prefix} a`), receipt(`${prefix} b`)])
  expect((await one.balance()).balance).toBe(a > b ? '98' : '99')
  const later = await one.use({ event_id: `${prefix} 0`, timestamp, metadata: { n: 5 } })
  expect((await one.balance(later)).balance).toBe('95')
})

/** When the log took an event, in milliseconds. */
async function receipt(eventId: string): Promise<number> {
  const { body } = await at.call(`GET /events/${encodeURIComponent(eventId)}/explanation`)
  expect(body).toMatchObject({ received: { at: expect.stringMatching(/Z$/) } })
  return Date.parse((body as unknown as { received: { at: string } }).received.at)
}

it('charges nothing for usage below zero', async () => {
  const aggregation = { type: 'max' as const, key: 'n' }
  const one = await subscriber(at, { meters: [{ aggregation }] })
  expect((await one.balance(await one.spend({ n: -5 }, { n: -2.5 }))).balance).toBe('100')
  expect((await one.balance(await one.spend({ n: 3 }, { n: -9 }))).balance).toBe('97')
})

it('spends the credits of a trial in the trial [meters#worth, credits#grants]', async () => {
  const one = await subscriber(at, { mapping: { trial_credits: '5.5' } })
  const subscription = await at.client().subscriptions.create({
    billing: { country: 'DE' },
    customer: { email: 'trial-of-usage@example.com', name: 'T' },
    product_id: one.productId,
    quantity: 1,
    trial_period_days: 7,
  })
  const { customer, subscription_id: id } = subscription
  const read = await at.client().subscriptions.retrieve(id)
  const days =
    (Date.parse(read.next_billing_date) - Date.parse(read.previous_billing_date)) / 86_400_000
  expect([read.status, read.trial_period_days, days]).toEqual(['active', 7, 7])
  const use = { customer_id: customer.customer_id, event_name: one.eventNames[0] ?? '' }
  const headers = { 'Sluice-After': await ingest(at, [use, use]) }
  const usage = await onceMeasured(() =>
    at.client().subscriptions.retrieveCreditUsage(id, { headers }),
  )
  expect(usage.items).toMatchObject([{ balance: '3.5', overage: '0' }])
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

it('lets several meters draw on one entitlement, each at its own rate [meters#worth]', async () => {
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
  // Before the subscription began: an event of the last five minutes counts, an earlier one matches
  // nothing.
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
  const named = { customer_id: one.customerId, event_name: one.eventNames[0] ?? '' }
  const again = { events: events.map((event) => ({ ...event, ...named })) }
  // The edge knows an id a moment after its usage can be read, because it is marked after the
  // commit.
  const appended = async () => (await at.client().usageEvents.ingest(again)).ingested_count
  await expect.poll(appended).toBe(0)
  const unaccounted = async () => (await at.metrics()).get('sluice_unaccounted_events')
  await expect.poll(unaccounted).toBe(0)
  expect((await one.balance()).balance).toBe('50')
})
