import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AnswerBody } from '../support/edge/call.ts'
import { operated } from '../support/process/operator.ts'
import type { Server } from '../support/process/server.ts'
import { scratchDirectory, startServer } from '../support/process/server.ts'
import { wellInsideAMonth } from '../support/store/month.ts'

let scratch: ReturnType<typeof scratchDirectory>
let server: Server
let key: string
beforeAll(async () => {
  scratch = scratchDirectory()
  server = await startServer({ DATA_DIR: scratch.path })
  key = String(server.ready['api_key'])
})
afterAll(async () => {
  await server.stop('SIGKILL')
  scratch.remove()
})

describe('a voided event', () => {
  beforeEach(wellInsideAMonth)

  it('gives back the credits that it cost, at once', async () => {
    const { entitlementId, customerId } = await account('sum')
    const after = await ingest(customerId, [
      { event_id: 'sum-1', metadata: { n: 30 } },
      { event_id: 'sum-2', metadata: { n: 12 } },
    ])
    const voided = await call('POST /events/sum-1/void', { reason: 'Sent twice.' }, after)
    expect(voided.status).toBe(200)
    expect(voided.body).toMatchObject({
      event_id: 'sum-1',
      void_reason: 'Sent twice.',
      void_status: 'done',
    })
    expect(await balance(entitlementId, customerId)).toBe('88')
    const { body } = await call(`GET ${balances(entitlementId)}/${customerId}/ledger`)
    const [newest] = body.items
    expect(newest).toMatchObject({ balance_after: '88' })

    const second = await call('POST /events/sum-1/void', { reason: 'Again.' })
    expect(second.status).toBe(409)
    expect(second.headers.get('x-should-retry')).toBe('false')
    expect(await balance(entitlementId, customerId)).toBe('88')

    // The id of a voided event stays known, so a late retry of it charges nothing.
    const again = await ingest(customerId, [{ event_id: 'sum-1', metadata: { n: 30 } }])
    expect(await balance(entitlementId, customerId, again)).toBe('88')
  })

  it('leaves a maximum when the archive has its hour', async () => {
    const { entitlementId, customerId } = await account('max')
    const after = await ingest(customerId, [
      { event_id: 'max-1', metadata: { n: 30 } },
      { event_id: 'max-2', metadata: { n: 12 } },
    ])
    const { body } = await call('POST /events/max-1/void', { reason: 'Wrong.' }, after)
    expect(body['void_status']).toBe('pending')
    while ((await call('GET /events/max-1')).body['void_status'] !== 'done') await sleep(50)
    expect(await balance(entitlementId, customerId)).toBe('88')
  })

  it('that is not measured yet is refused for the time being', async () => {
    const { customerId } = await account('count')
    await ingest(customerId, [{ event_id: 'count-1' }])
    let answer = await call('POST /events/count-1/void', { reason: 'Wrong.' })
    while (answer.status === 409) {
      expect(answer.headers.get('retry-after')).toBe('1')
      expect(answer.headers.get('x-should-retry')).toBeNull()
      answer = await call('POST /events/count-1/void', { reason: 'Wrong.' })
    }
    expect(answer.status).toBe(200)
  })

  it('is behind the entry that gives back what was settled, and named there', async () => {
    const { entitlementId, customerId } = await account('sum', 'back')
    const ledger = `GET ${balances(entitlementId)}/${customerId}/ledger`
    const after = await ingest(customerId, [
      { event_id: 'back-1', metadata: { n: 30 } },
      { event_id: 'back-2', metadata: { n: 12 } },
    ])
    // Reading the ledger settles, before and after.
    expect((await call(ledger, undefined, after)).body.items[0]).toMatchObject({ amount: '42' })
    await call('POST /events/back-1/void', { reason: 'Sent twice.' })
    const [refund] = (await call(ledger)).body.items
    expect(refund).toMatchObject({ transaction_type: 'refund', amount: '30' })
    const { body } = await call(`GET /credit-ledger-entries/${refund?.id}/explanation`)
    expect(body['cause']).toMatchObject({
      events: { count: 0 },
      taken_back: { count: 1, items: [{ event_id: 'back-1', void_reason: 'Sent twice.' }] },
    })
    expect(String(body['summary'])).toContain('taken back: back-1 (“Sent twice.”)')
  })

  it('leaves books that agree, and explanations that add up', async () => {
    const { entitlementId, customerId } = await account('last')
    const after = await ingest(customerId, [
      { event_id: 'last-1', metadata: { n: 30 } },
      { event_id: 'last-2', metadata: { n: 12 } },
    ])
    await call('POST /events/last-2/void', { reason: 'Wrong.' }, after)
    while ((await call('GET /events/last-2')).body['void_status'] !== 'done') await sleep(50)
    await balance(entitlementId, customerId)
    for (const id of ['sum-1', 'sum-2', 'max-1', 'max-2', 'last-1', 'last-2', 'count-1']) {
      const { body } = await call(`GET /events/${id}/explanation`)
      const [meter] = body['meters'] as { effects: unknown[] }[]
      expect(meter?.effects).toMatchObject([{ usage: { agrees_with_books: true } }])
    }
    const { body } = await call('GET /events/last-2/explanation')
    expect(body['event']).toMatchObject({ void_reason: 'Wrong.', void_status: 'done' })
    const { status, error } = await operated({ DATA_DIR: scratch.path }, ['verify'])
    expect(status, error).toBe(0)
  })
})

/** A customer with 100 credits, a unit of a meter of its own each. */
async function account(type: string, name = type) {
  const meter = await call('POST /meters', {
    name: `By ${name}`,
    event_name: `call.${name}`,
    measurement_unit: 'unit',
    aggregation: type === 'count' ? { type } : { type, key: 'n' },
  })
  const entitlement = await call('POST /credit-entitlements', {
    name: `Credits ${name}`,
    unit: 'credit',
    precision: 0,
    overage_enabled: false,
    rollover_enabled: false,
    meter_links: [{ meter_id: meter.body.id, meter_units_per_credit: '1', free_threshold: 0 }],
  })
  const customer = await call('POST /customers', { email: `${name}@example.com`, name })
  const [entitlementId, customerId] = [entitlement.body.id, customer.body.customer_id]
  const grant = { amount: '100', entry_type: 'credit' }
  await call(`POST ${balances(entitlementId)}/${customerId}/ledger-entries`, grant)
  return { entitlementId, customerId }
}

/** Answers the position after which the events are measured. */
async function ingest(
  customerId: string,
  events: readonly { readonly event_id: string; readonly metadata?: object }[],
): Promise<string> {
  const { status, headers } = await call('POST /events/ingest', {
    events: events.map((event) => ({
      ...event,
      event_name: `call.${event.event_id.split('-')[0]}`,
      customer_id: customerId,
    })),
  })
  expect(status).toBe(200)
  return headers.get('sluice-position') ?? ''
}

async function balance(entitlementId: string, customerId: string, after?: string) {
  const target = `GET ${balances(entitlementId)}/${customerId}`
  return (await call(target, undefined, after)).body['balance']
}

const balances = (entitlementId: string) => `/credit-entitlements/${entitlementId}/balances`

async function call(target: string, body?: unknown, after?: string) {
  const [method = '', path = ''] = target.split(' ')
  const answer = await fetch(`${server.ready['test_url']}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(after === undefined ? {} : { 'Sluice-After': after }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const { status, headers } = answer
  return { status, headers, body: (text === '' ? {} : JSON.parse(text)) as AnswerBody }
}
