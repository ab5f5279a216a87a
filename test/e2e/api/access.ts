import { beforeAll, describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import type { Subscriber } from '../plan.ts'
import { subscriber } from '../plan.ts'

let one: Subscriber
let webhookId: string
let discountId: string
beforeAll(async () => {
  one = await subscriber(at)
  const url = 'http://127.0.0.1:9/'
  webhookId = (await at.client().webhooks.create({ url, disabled: true })).id
  const discount = await at.client().discounts.create({ type: 'percentage', amount: 1 })
  discountId = discount.discount_id
  await one.balance(await one.use({ event_id: 'seen' }))
})

type Target = `${string} /${string}`
const names = [
  'customer',
  'meter',
  'credit',
  'product',
  'subscription',
  'webhook',
  'discount',
] as const
type Names = Readonly<Record<(typeof names)[number], string>>

const balances = (id: Names): `/${string}` =>
  `/credit-entitlements/${id.credit}/balances/${id.customer}`

const reads: readonly ((id: Names) => Target)[] = [
  () => 'GET /customers',
  (id) => `GET /customers/${id.customer}`,
  (id) => `GET /customers/${id.customer}/payment-methods`,
  (id) => `GET /customers/${id.customer}/wallets`,
  (id) => `GET /customers/${id.customer}/wallets/ledger-entries`,
  () => 'GET /meters',
  (id) => `GET /meters/${id.meter}`,
  () => 'GET /credit-entitlements',
  (id) => `GET /credit-entitlements/${id.credit}`,
  (id) => `GET /credit-entitlements/${id.credit}/balances`,
  (id) => `GET ${balances(id)}`,
  (id) => `GET ${balances(id)}/grants`,
  (id) => `GET ${balances(id)}/ledger`,
  () => 'GET /products',
  (id) => `GET /products/${id.product}`,
  () => 'GET /subscriptions',
  (id) => `GET /subscriptions/${id.subscription}`,
  (id) => `GET /subscriptions/${id.subscription}/credit-usage`,
  () => 'GET /payments',
  () => 'GET /refunds',
  () => 'GET /balances/ledger',
  () => 'GET /disputes',
  () => 'GET /payouts',
  () => 'GET /discounts',
  (id) => `GET /discounts/${id.discount}`,
  (id) => `GET /discounts/${id.discount}/customers`,
  () => 'GET /events',
  () => 'GET /events/seen',
  () => 'GET /webhooks',
  (id) => `GET /webhooks/${id.webhook}`,
  (id) => `GET /webhooks/${id.webhook}/headers`,
  (id) => `GET /webhooks/${id.webhook}/messages`,
]
const writes: readonly ((id: Names) => Target)[] = [
  () => 'POST /customers',
  (id) => `PATCH /customers/${id.customer}`,
  (id) => `POST /customers/${id.customer}/wallets/ledger-entries`,
  () => 'POST /refunds',
  () => 'POST /meters',
  (id) => `DELETE /meters/${id.meter}`,
  (id) => `POST /meters/${id.meter}/unarchive`,
  () => 'POST /credit-entitlements',
  (id) => `PATCH /credit-entitlements/${id.credit}`,
  (id) => `DELETE /credit-entitlements/${id.credit}`,
  (id) => `POST /credit-entitlements/${id.credit}/undelete`,
  (id) => `POST ${balances(id)}/ledger-entries`,
  () => 'POST /products',
  () => 'POST /subscriptions',
  () => 'POST /discounts',
  (id) => `PATCH /discounts/${id.discount}`,
  (id) => `DELETE /discounts/${id.discount}`,
  (id) => `POST /discounts/${id.discount}/customers`,
  (id) => `DELETE /discounts/${id.discount}/customers/${id.customer}`,
  () => 'POST /events/ingest',
  () => 'POST /webhooks',
  // With the secret in its answer one can sign in our name.
  (id) => `GET /webhooks/${id.webhook}/secret`,
  (id) => `POST /webhooks/${id.webhook}/secret/rotate`,
  (id) => `POST /webhooks/${id.webhook}/messages/msg_x/resend`,
  (id) => `POST /webhooks/${id.webhook}/recover`,
  (id) => `POST /webhooks/${id.webhook}/test`,
  (id) => `PATCH /webhooks/${id.webhook}`,
  (id) => `PATCH /webhooks/${id.webhook}/headers`,
  (id) => `DELETE /webhooks/${id.webhook}`,
]
const ours = (): Names => ({
  customer: one.customerId,
  meter: one.meterIds[0] ?? '',
  credit: one.creditId,
  product: one.productId,
  subscription: one.subscriptionId,
  webhook: webhookId,
  discount: discountId,
})
const nobodys: Names = {
  customer: 'cus_nobody',
  meter: 'mtr_nobody',
  credit: 'cde_nobody',
  product: 'pdt_nobody',
  subscription: 'sub_nobody',
  webhook: 'whk_nobody',
  discount: 'dsc_nobody',
}
const all = [...reads, ...writes]
const refusal = (code: string) => ({
  code,
  message: expect.stringMatching(/\.$/),
  doc_url: expect.stringMatching(/^\/docs\/[\w-]+#[\w-]+$/),
})
/** Reads of one object by its id, without those that every business has. */
const single = reads.filter((of) => of(nobodys).includes('nobody'))

let strangers = 0
/** The address of a client that never came before. */
function stranger(): string {
  strangers += 1
  return `203.0.113.${strangers % 256}`
}

describe('every route', () => {
  it.each(all.map((of) => [of(nobodys), of] as const))(
    '%s wants a key of its host',
    async (_name, of) => {
      const keys: [string | null, boolean][] = [
        [null, false],
        ['', false],
        ['slc_test_rw_nonsense', false],
        [at.keys.write.slice(0, -1), false],
        [at.keys.live, false],
        [at.keys.write, true],
      ]
      for (const [key, live] of keys) {
        // Without a key, broken bodies and unknown ids must make no difference.
        const answer = await at.call(of(nobodys), {
          key,
          live,
          headers: { 'X-Forwarded-For': stranger() },
          ...(of(nobodys).startsWith('GET') ? {} : { raw: '{' }),
        })
        expect([answer.status, answer.body]).toEqual([401, refusal('UNAUTHORIZED')])
        expect(answer.headers.get('x-should-retry')).toBe('false')
        expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
      }
    },
  )

  it.each(writes.map((of) => [of(nobodys), of] as const))(
    '%s wants a key that may write',
    async (_name, of) => {
      const target = of(ours())
      const sent = target.startsWith('GET') ? {} : { raw: '{' }
      const answer = await at.call(target, { key: at.keys.read, ...sent })
      expect([answer.status, answer.body]).toEqual([403, refusal('UNAUTHORIZED')])
    },
  )

  it.each(reads.map((of) => [of(nobodys), of] as const))(
    '%s serves a key that may only read',
    async (_name, of) => {
      const answer = await at.call(of(ours()), { key: at.keys.read })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json')
    },
  )

  it.each(single.map((of) => [of(nobodys), of] as const))(
    '%s knows nothing of other modes',
    async (_name, of) => {
      expect((await at.call(of(nobodys))).body).toEqual(refusal('NOT_FOUND'))
      const elsewhere = await at.call(of(ours()), { key: at.keys.live, live: true })
      expect([elsewhere.status, elsewhere.body]).toEqual([404, refusal('NOT_FOUND')])
    },
  )

  it.each(reads.map((of) => [of(nobodys), of] as const))(
    '%s has a head without a body',
    async (_name, of) => {
      const [, path = ''] = of(ours()).split(' ')
      const whole = await at.call(`GET /${path.slice(1)}`)
      const head = await at.call(`HEAD /${path.slice(1)}`)
      expect([head.status, head.text]).toEqual([200, ''])
      expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'))
    },
  )

  it('tells the methods that its path takes', async () => {
    const cases: [Target, string][] = [
      ['PUT /customers', 'GET, HEAD, POST'],
      ['PUT /products/x', 'DELETE, GET, HEAD, PATCH'],
      ['PATCH /meters/x/unarchive', 'POST'],
      // It is also the path of the event of that id.
      ['PUT /events/ingest', 'GET, HEAD, POST'],
    ]
    for (const [target, allow] of cases) {
      const answer = await at.call(target)
      expect([answer.status, answer.body], target).toEqual([405, refusal('METHOD_NOT_ALLOWED')])
      expect(answer.headers.get('allow'), target).toBe(allow)
    }
    for (const target of ['GET /', 'GET /nothing', 'POST /customers/', 'GET /Customers'] as const) {
      expect((await at.call(target)).body, target).toEqual(refusal('NOT_FOUND'))
    }
  })

  it('finds an event by its id, also by one that a path spells out', async () => {
    expect((await at.call('GET /events/ingest')).status).toBe(404)
    const event = { event_id: 'ingest', customer_id: ours().customer, event_name: 'spelled.out' }
    expect((await at.call('POST /events/ingest', { body: { events: [event] } })).status).toBe(200)
    await expect.poll(async () => (await at.call('GET /events/ingest')).status).toBe(200)
  })

  it('says what a path takes to whoever asks, with a key or without', async () => {
    for (const key of [at.keys.write, null]) {
      const answer = await at.call('OPTIONS /webhooks/x', { key })
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, PATCH')
      expect(answer.headers.get('access-control-allow-origin')).toBe(null)
    }
    expect((await at.call('OPTIONS /nothing')).status).toBe(404)
  })

  it('echoes a sane request id, and makes one otherwise', async () => {
    const told = async (sent: string) =>
      (await at.call('GET /meters', { headers: { 'X-Request-Id': sent } })).headers.get(
        'x-request-id',
      )
    expect(await told('order-7.retry_2')).toBe('order-7.retry_2')
    expect(await told('two words')).toMatch(/^req_/)
    expect(await told('x'.repeat(129))).toMatch(/^req_/)
  })
})

it('a key ends when it is revoked, within ten seconds, and no other does', async () => {
  const made = await at.sluice('keys', 'create', '--business', at.businessId, '--mode', 'test')
  const key = String(made['api_key'])
  expect((await at.call('GET /meters', { key })).status).toBe(200)
  const listed = await at.sluice('keys', 'list', '--business', at.businessId)
  expect(JSON.stringify(listed)).not.toContain('slc_')
  await at.sluice('keys', 'revoke', String(made['key_id']))
  const status = async () => (await at.call('GET /meters', { key })).status
  await expect.poll(status, { timeout: 10_000, interval: 100 }).toBe(401)
  expect((await at.call('GET /meters')).status).toBe(200)
})

it('businesses do not see each other', async () => {
  const other = await at.sluice('business', 'create', '--name', 'Other')
  const id = String(other['business_id'])
  const made = await at.sluice('keys', 'create', '--business', id, '--mode', 'test')
  const key = String(made['api_key'])
  for (const of of single) expect((await at.call(of(ours()), { key })).status).toBe(404)
  for (const path of [
    'customers',
    'meters',
    'credit-entitlements',
    'products',
    'subscriptions',
    'events',
  ]) {
    expect((await at.call(`GET /${path}`, { key })).body.items, path).toEqual([])
  }
  const event = { event_id: 'seen', customer_id: one.customerId, event_name: 'x' }
  expect((await at.call('POST /events/ingest', { key, body: { events: [event] } })).status).toBe(
    404,
  )
})
