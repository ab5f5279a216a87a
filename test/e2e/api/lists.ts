import type DodoPayments from 'dodopayments'
import { beforeAll, describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { onceMeasured } from '../once-measured.ts'
import type { Subscriber } from '../plan.ts'
import { fresh, ingest, subscriber } from '../plan.ts'

let client: DodoPayments
let one: Subscriber
beforeAll(async () => {
  client = at.client()
  one = await subscriber(at)
})

describe('lists', () => {
  it('come newest first, page by page, and end with an empty page', async () => {
    const made: string[] = []
    const name = fresh('paged')
    for (let n = 0; n < 12; n += 1)
      made.unshift(
        (await client.customers.create({ email: `p${n}@example.com`, name })).customer_id,
      )
    const page = async (query: DodoPayments.CustomerListParams) =>
      (await client.customers.list({ name, ...query })).items.map((each) => each.customer_id)
    expect(await page({})).toEqual(made.slice(0, 10))
    expect(await page({ page_number: 1 })).toEqual(made.slice(10))
    expect(await page({ page_number: 2 })).toEqual([])
    expect(await page({ page_size: 100 })).toEqual(made)
    expect(await page({ page_size: 5, page_number: 1 })).toEqual(made.slice(5, 10))
  })

  it.each([
    'customers',
    'meters',
    'credit-entitlements',
    'products',
    'subscriptions',
    'events',
    'discounts',
  ])('of %s refuse what is no page', async (list) => {
    for (const query of [
      'page_size=101',
      'page_size=0',
      'page_size=-1',
      'page_size=ten',
      'page_size=',
      'page_number=-1',
      'page_number=1.5',
      'page_number=99999999999',
    ]) {
      const answer = await at.call(`GET /${list}?${query}`)
      expect([answer.status, answer.body.code], query).toEqual([422, 'INVALID_QUERY_PARAMS'])
    }
    expect((await at.call(`GET /${list}?page_size=1&page_number=2147483647`)).body).toEqual({
      items: [],
    })
  })

  it('refuse filters that cannot be', async () => {
    for (const query of [
      ...['meters?archived=yes', 'products?recurring=1', 'credit-entitlements?deleted='],
      ...['subscriptions?status=live', 'subscriptions?created_at_gte=today', 'events?start=2026'],
      ...['discounts?active=1', 'discounts?discount_type=flat_per_unit', 'discounts?code=%00'],
      ...['customers?created_at_lte=2026-13-01T00:00:00Z', 'events?end=2026-01-01'],
      `credit-entitlements/${one.creditId}/balances/${one.customerId}/ledger?transaction_type=x`,
      `credit-entitlements/${one.creditId}/balances/${one.customerId}/grants?status=gone`,
    ]) {
      const answer = await at.call(`GET /${query}`)
      expect([answer.status, answer.body.code], query).toEqual([422, 'INVALID_QUERY_PARAMS'])
    }
  })

  it('refuse a filter that is misspelled, and ignore what looks like none [requests#lists]', async () => {
    const misspelled = await at.call('GET /subscriptions?custmer_id=cus_x')
    expect([misspelled.status, misspelled.body]).toEqual([
      422,
      expect.objectContaining({
        code: 'INVALID_QUERY_PARAMS',
        message: expect.stringContaining('custmer_id looks like a misspelling of customer_id'),
      }),
    ])
    for (const query of ['events?customerId=x', 'meters?PageSize=1', 'webhooks/stream?type=x']) {
      expect((await at.call(`GET /${query}`)).status, query).toBe(422)
    }
    for (const query of ['events?utm_source=x', 'customers/x?customer_ids=x', 'meters?_=1']) {
      expect((await at.call(`GET /${query}`)).status, query).not.toBe(422)
    }
  })
})

it('events are found by customer, name, meter and time', async () => {
  const name = fresh('event')
  const filter = {
    conjunction: 'and' as const,
    clauses: [{ key: 'size', operator: 'greater_than' as const, value: 2 }],
  }
  const by = await subscriber(at, { meters: [{ filter }] })
  const [eventName = ''] = by.eventNames
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const times = [4, 3, 2, 1].map(minutesAgo)
  const sent = times.map((timestamp, n) => ({
    ...{
      event_id: `${name}/${n} ?#%`,
      customer_id: by.customerId,
      event_name: n === 3 ? name : eventName,
    },
    timestamp,
    metadata: { size: n + 1, deep: { list: [1, null, 'ü'] } },
  }))
  const position = await ingest(at, sent as never)
  const first = `GET /events/${encodeURIComponent(`${name}/0 ?#%`)}` as const
  const headers = { 'Sluice-After': position }
  expect((await onceMeasured(() => at.call(first, { headers }))).status).toBe(200)
  const ids = async (query: Record<string, string | number>) =>
    (await client.usageEvents.list(query)).items.map((each) =>
      sent.findIndex(({ event_id: id }) => id === each.event_id),
    )
  const customer = { customer_id: by.customerId }
  expect(await ids(customer)).toEqual([3, 2, 1, 0])
  expect(await ids({ ...customer, page_size: 2, page_number: 1 })).toEqual([1, 0])
  expect(await ids({ event_name: name })).toEqual([3])
  expect(await ids({ ...customer, event_name: eventName })).toEqual([2, 1, 0])
  expect(await ids({ meter_id: by.meterIds[0] ?? '' })).toEqual([2])
  expect(await ids({ ...customer, start: times[1] ?? '', end: times[2] ?? '' })).toEqual([2, 1])
  expect(await ids({ ...customer, customer_id: 'cus_nobody' })).toEqual([])
  expect((await at.call(`GET /events?meter_id=${by.meterIds[0]}&event_name=other`)).status).toBe(
    400,
  )
  expect((await at.call('GET /events?meter_id=mtr_nobody')).status).toBe(404)
  for (const event of sent) {
    const [seconds = ''] = event.timestamp.split('Z')
    expect(await client.usageEvents.retrieve(event.event_id)).toEqual({
      ...event,
      business_id: at.businessId,
      timestamp: `${seconds}000Z`,
    })
  }
  expect((await at.call(`GET /events/${encodeURIComponent(name.toUpperCase())}`)).status).toBe(404)
})

it('events come back as they were sent, whatever they hold', async () => {
  const by = await subscriber(at)
  const odd = [
    'a"b',
    'a\\b',
    '\u2028',
    '\u0001',
    '"timestamp":"',
    ' ',
    '\n',
    '%2F',
    '😀',
    'ünïcode',
  ]
  const sent = odd.map((text) => ({
    event_id: `${fresh('odd')} ${text}`,
    customer_id: by.customerId,
    event_name: text,
    metadata: {
      ...{
        [text]: text,
        timestamp: '2020-01-01T00:00:00.000000Z',
        '\0': 'a\0b',
        '\ud800': '\udfff',
      },
      list: [text, null, 0.1, -0, 1e-9, [true]],
      nested: { [text]: { deep: text } },
    },
  }))
  await by.balance(await ingest(at, sent as never))
  for (const event of sent) {
    const kept = await at.call(`GET /events/${encodeURIComponent(event.event_id)}`)
    const { timestamp, ...rest } = kept.body
    expect(timestamp).toMatch(/Z$/)
    expect(rest).toEqual({ ...JSON.parse(JSON.stringify(event)), business_id: at.businessId })
    const named = await at.call(`GET /events?event_name=${encodeURIComponent(event.event_name)}`)
    expect(named.body.items.map((each) => each['event_id'])).toEqual([event.event_id])
  }
})
