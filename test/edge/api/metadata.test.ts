import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metadataRejection } from '../../../src/rules/commerce/catalog/metadata.ts'
import type { Call } from '../../support/edge/call.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { openShop } from '../../support/process/shop.ts'
import { base, oneTime, usageBased } from '../../support/wire/products.ts'

let pipeline: Pipeline
let call: Call
let shop: Awaited<ReturnType<typeof openShop>>
let subscription: string
let product: string
let discount: unknown
beforeAll(async () => {
  pipeline = await openPipeline()
  shop = await openShop(pipeline)
  call = shop.call()
  subscription = await shop.subscribe()
  const price = { ...usageBased, meters: [] }
  product = (await call('POST /products', { ...base, price })).body.product_id
  const made = await call('POST /discounts', { type: 'percentage', amount: 1 })
  discount = made.body['discount_id']
})
afterAll(() => pipeline.drop())

type Target = Parameters<Call>[0]

/** Everything that takes metadata of the catalogue, with a body that is right but for it. */
const takers: readonly (readonly [string, () => Target, () => object])[] = [
  ['a new customer', () => 'POST /customers', () => ({ email: 'a@example.com', name: 'A' })],
  ['a customer', () => `PATCH /customers/${shop.customer}`, () => ({})],
  ['a new product', () => 'POST /products', () => ({ ...base, price: oneTime })],
  ['a new discount', () => 'POST /discounts', () => ({ type: 'percentage', amount: 1 })],
  ['a discount', () => `PATCH /discounts/${discount}`, () => ({})],
  ['a new subscription', () => 'POST /subscriptions', subscribing],
  ['a subscription', () => `PATCH /subscriptions/${subscription}`, () => ({})],
  ['a plan change', () => `POST /subscriptions/${subscription}/change-plan`, changing],
  ['its preview', () => `POST /subscriptions/${subscription}/change-plan/preview`, changing],
  ['a credit', entries, () => ({ entry_type: 'credit', amount: '1' })],
  ['a debit', entries, () => ({ entry_type: 'debit', amount: '0.01' })],
]

function entries(): Target {
  return `POST /credit-entitlements/${shop.creditId}/balances/${shop.customer}/ledger-entries`
}

function changing() {
  return { product_id: product, quantity: 1, proration_billing_mode: 'do_not_bill' }
}

function subscribing() {
  const customer = { customer_id: shop.customer }
  return { billing: { country: 'GB' }, customer, product_id: product, quantity: 1 }
}

const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key_${n}`, 'x'.repeat(500)]))

describe.each(takers)('metadata of %s', (_, target, body) => {
  const send = (metadata: unknown) => call(target(), { ...body(), metadata })

  it.each([
    ['2^53', { n: 2 ** 53 }, 'metadata.n is an integer beyond ±9007199254740991'],
    ['-2^53', { a: 1, n: -(2 ** 53) }, 'metadata.n is an integer beyond'],
    ['1e300', { n: 1e300 }, 'metadata.n is an integer beyond'],
    ['behind __proto__', JSON.parse('{"__proto__":1e300}'), 'metadata.__proto__ is an integer'],
  ])('holds no integer that a JSON number cannot carry: %s', async (_case, metadata, problem) => {
    const refused = await send(metadata)
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST_PARAMETERS' } })
    expect(refused.body.message).toContain(problem)
  })

  it('holds at most 50 keys of 40 characters and values of 500', async () => {
    const many = await send(pairs(51))
    expect(many).toMatchObject({ status: 422, body: { code: 'MAXIMUM_KEYS_REACHED' } })
    const cases: [object, string][] = [
      [{ ['k'.repeat(41)]: 1 }, 'Every key of metadata must be 1 to 40 letters'],
      [{ 'no blanks': 1 }, 'Every key of metadata'],
      [{ a: 'x'.repeat(501) }, 'metadata.a must not be longer than 500 characters'],
      [{ a: { b: 1 } }, 'metadata.a must be a string'],
      [{ a: [1] }, 'metadata.a must be a string'],
      [{ a: null }, 'metadata.a must be a string'],
      [[], 'metadata must be an object'],
    ]
    for (const [metadata, problem] of cases) {
      const refused = await send(metadata)
      expect(refused).toMatchObject({ status: 422, body: { code: 'INVALID_REQUEST_BODY' } })
      expect(refused.body.message).toContain(problem)
    }
  })

  it('may be as large as that, and hold what looks like a prototype', async () => {
    for (const metadata of [
      pairs(50),
      JSON.parse('{"__proto__":"x","constructor":1,"toString":false}'),
      { n: Number.MAX_SAFE_INTEGER, m: Number.MIN_SAFE_INTEGER, d: 0.1 },
    ]) {
      expect((await send(metadata)).status).toBeLessThan(300)
    }
  })
})

it('what a number cannot even be is refused, too', () => {
  for (const n of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    expect(metadataRejection({ n })?.code).toBe('INVALID_REQUEST_PARAMETERS')
  }
})

it('comes back as it was sent, from the ledger and from grants', async () => {
  const other = await openShop(pipeline)
  const metadata = JSON.parse('{"__proto__":"x","n":9007199254740991}')
  const path = `/credit-entitlements/${other.creditId}/balances/${other.customer}` as const
  const credit = { entry_type: 'credit', amount: '1', metadata }
  await other.call()(`POST ${path}/ledger-entries`, credit)
  const [grant] = (await other.call()(`GET ${path}/grants`)).body.items
  expect(JSON.stringify(grant?.['metadata'])).toContain('"__proto__":"x"')
  expect(JSON.stringify(grant?.['metadata'])).toContain('9007199254740991')
  await other.call()(`POST ${path}/ledger-entries`, { ...credit, entry_type: 'debit' })
  const entries = (await other.call()(`GET ${path}/ledger`)).body.items
  const debit = entries.find((each) => each['is_credit'] === false)
  expect(JSON.stringify(debit?.['metadata'])).toContain('"__proto__":"x"')
  expect(JSON.stringify(debit?.['metadata'])).toContain('9007199254740991')
})

it('null clears a subscription’s, and absent keeps it [requests#nulls]', async () => {
  const path = `/subscriptions/${subscription}` as const
  const of = async (body: object) => (await call(`PATCH ${path}`, body)).body['metadata']
  expect(await of({ metadata: { a: 1 } })).toEqual({ a: 1 })
  expect(await of({ tax_id: null })).toEqual({ a: 1 })
  expect(await of({ metadata: null })).toEqual({})
})

/** Quadratic work would take minutes, and end at the suite's bound for tests that hang. */
it('costs a read of a balance no more than it is long', async () => {
  const other = await openShop(pipeline)
  const path = `/credit-entitlements/${other.creditId}/balances/${other.customer}` as const
  await other.call()(`POST ${path}/ledger-entries`, { entry_type: 'credit', amount: '1' })
  await pipeline.db.query({
    text: `update grants set metadata = (
      select jsonb_object_agg('key_' || n, repeat('x', 500)) from generate_series(1, 20000) n)
      where account_id = (select account_id from accounts where customer_id = $1)`,
    values: [other.customer],
  })
  expect((await other.call()(`GET ${path}`)).body['balance']).toBe('1')
  expect((await other.call()(`GET ${path}/ledger`)).body.items).toHaveLength(1)
})
