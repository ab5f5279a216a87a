import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../support/edge/call.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { openShop } from '../../support/process/shop.ts'
import { base, oneTime, recurring, usageBased } from '../../support/wire/products.ts'

let pipeline: Pipeline
let call: Call
let shop: Awaited<ReturnType<typeof openShop>>
let subscription: string
beforeAll(async () => {
  pipeline = await openPipeline()
  shop = await openShop(pipeline)
  call = shop.call()
  subscription = await shop.subscribe()
})
afterAll(() => pipeline.drop())

type Target = Parameters<Call>[0]

async function refusal(target: Target, body: object): Promise<string> {
  const { status, body: answer } = await call(target, body)
  expect([status, answer.code]).toEqual([422, 'INVALID_REQUEST_BODY'])
  return answer.message
}

describe('what cannot be changed is refused by name, never ignored [requests#numbers]', () => {
  it.each([
    ['quantity', 2],
    ['product_id', 'pdt_1'],
    ['addons', []],
    ['discount_code', 'A'],
    ['discount_codes', ['A']],
    ['expires_at', '2030-01-01T00:00:00Z'],
    ['trial_period_days', 3],
  ])('%s of a subscription', async (name, value) => {
    expect(await refusal(`PATCH /subscriptions/${subscription}`, { [name]: value })).toMatch(
      new RegExp(`^${name} cannot be changed`),
    )
  })

  it('precision of a credit entitlement', async () => {
    const path = `PATCH /credit-entitlements/${shop.creditId}` as const
    expect(await refusal(path, { precision: 3 })).toBe('precision cannot be changed.')
    expect((await call(path, { description: 'x', precision: null })).status).toBe(204)
  })

  it('expires_at of a debit', async () => {
    await shop.grant('5')
    const path =
      `POST /credit-entitlements/${shop.creditId}/balances/${shop.customer}/ledger-entries` as const
    const debit = { entry_type: 'debit', amount: '1' }
    const late = '2100-01-01T00:00:00Z'
    expect(await refusal(path, { ...debit, expires_at: late })).toMatch(/^expires_at goes with/)
    expect((await call(path, { ...debit, expires_at: null })).status).toBe(201)
    expect((await call(path, { ...debit, entry_type: 'credit', expires_at: late })).status).toBe(
      201,
    )
  })

  it('who a subscription is for, said twice', async () => {
    const customer = { customer_id: shop.customer, email: 'eve@example.com' }
    const body = { billing: { country: 'GB' }, customer, product_id: 'pdt_1', quantity: 1 }
    expect(await refusal('POST /subscriptions', body)).toMatch(/^customer must have/)
  })
})

describe('a price has the fields of its kind alone', () => {
  it.each([
    [oneTime, { meters: [{ meter_id: 'mtr_1', price_per_unit: '1' }] }],
    [oneTime, { fixed_price: 1 }],
    [oneTime, { payment_frequency_count: 1 }],
    [oneTime, { trial_period_days: 1 }],
    [recurring, { meters: [] }],
    [recurring, { fixed_price: 1 }],
    [recurring, { pay_what_you_want: true }],
    [usageBased, { price: 1 }],
    [usageBased, { trial_period_days: 1 }],
    [usageBased, { trial_amount: 1 }],
    [usageBased, { suggested_price: 1 }],
  ])('%j and %j', async (price, foreign) => {
    const [name] = Object.keys(foreign)
    const body = (more: object) => ({ ...base, price: { ...price, ...more } })
    expect(await refusal('POST /products', body(foreign))).toBe(
      `price.${name} does not go with ${price.type}.`,
    )
    expect((await call('POST /products', body({ [String(name)]: null }))).status).toBe(200)
  })
})

describe('what no JSON number or book can carry is refused where it would arise', () => {
  const product = async (body: object) =>
    (await call('POST /products', { ...base, ...body })).body.product_id

  it('credits times quantity', async () => {
    const mapping = (amount: object) => [{ credit_entitlement_id: shop.creditId, ...amount }]
    const free = { ...recurring, price: 0 }
    const subscribe = async (amount: object, quantity: number) => {
      const made = await call('POST /subscriptions', {
        billing: { country: 'GB' },
        customer: { customer_id: shop.customer },
        product_id: await product({ price: free, credit_entitlements: mapping(amount) }),
        quantity,
      })
      return [made.status, made.body.code]
    }
    expect(await subscribe({ credits_amount: '5000000000' }, 2)).toEqual([
      ...[422, 'INVALID_REQUEST_BODY'],
    ])
    expect(await subscribe({ credits_amount: '4999999999.99' }, 2)).toEqual([200, undefined])
    const trial = { credits_amount: '1', trial_credits: '5000000000' }
    expect(await subscribe(trial, 2)).toEqual([422, 'INVALID_REQUEST_BODY'])
  })

  it('a price times quantity', async () => {
    const own = await openShop(pipeline)
    const free = await product({ price: { ...recurring, price: 0 } })
    const dear = await product({ price: { ...recurring, price: 2 ** 31 - 1 } })
    const made = await call('POST /subscriptions', {
      billing: { country: 'GB' },
      customer: { email: 'grace@example.com' },
      product_id: free,
      quantity: 1,
    })
    const path =
      `/subscriptions/${String(made.body['subscription_id'])}/change-plan/preview` as const
    const change = { product_id: dear, proration_billing_mode: 'do_not_bill' }
    expect(own.businessId).not.toBe(shop.businessId)
    expect(await refusal(`POST ${path}`, { ...change, quantity: 2 ** 31 - 1 })).toContain(
      'quantity',
    )
    // The next renewal would come to more than any payment can.
    expect(await refusal(`POST ${path}`, { ...change, quantity: 2 })).toContain(
      'at most 2147483647',
    )
    expect((await call(`POST ${path}`, { ...change, quantity: 1 })).status).toBe(200)
  })

  it('the price of usage', async () => {
    const own = await openShop(pipeline)
    const meters = [{ meter_id: own.meterId, price_per_unit: '99999' }]
    const priced = { ...base, price: { ...usageBased, meters } }
    const made = await own.call()('POST /subscriptions', {
      billing: { country: 'GB' },
      customer: { customer_id: own.customer },
      product_id: (await own.call()('POST /products', priced)).body.product_id,
      quantity: 1,
    })
    const history = () =>
      own.call()(`GET /subscriptions/${String(made.body['subscription_id'])}/usage-history`)
    await own.send(own.event('e1', { tokens: '90072892478' }))
    const [period] = (await history()).body.items
    expect(period?.['meters']).toMatchObject([{ total_price: 9_007_199_174_907_522 }])
    await own.send(own.event('e2', { tokens: '99999999999999999999' }))
    const refused = await history()
    expect([refused.status, refused.body.code]).toEqual([422, 'INTEGER_CONVERSION_FAILURE'])
    expect(refused.body.message).toContain(own.meterId)
  })
})

it('what leads to a payment has the form that it should have, and names what there is', async () => {
  const own = await openShop(pipeline)
  const price = { ...usageBased, meters: [] }
  const product = (await own.call()('POST /products', { ...base, price })).body.product_id
  const subscribe = async (more: object) => {
    const customer = { customer_id: own.customer }
    const body = { billing: { country: 'GB' }, customer, product_id: product, quantity: 1, ...more }
    const { status, body: answer } = await own.call()('POST /subscriptions', body)
    return [status, answer.code ?? answer['payment_link']]
  }
  const page = { payment_link: true, return_url: 'https://example.com', force_3ds: null }
  expect(await subscribe(page)).toEqual([200, null])
  expect(await subscribe({ payment_link: 'yes' })).toEqual([422, 'INVALID_REQUEST_BODY'])
  expect(await subscribe({ return_url: 1 })).toEqual([422, 'INVALID_REQUEST_BODY'])
  expect(await subscribe({ payment_method_id: 'pm_1' })).toEqual([404, 'NOT_FOUND'])
  expect(await subscribe({ payment_method_id: null })).toEqual([200, null])
})

it('a customer is found by e-mail as it is, to subscribe', async () => {
  const own = await openShop(pipeline)
  const price = { ...usageBased, meters: [] }
  const product = (await own.call()('POST /products', { ...base, price })).body.product_id
  const subscribe = async (email: string) => {
    const body = {
      billing: { country: 'GB' },
      customer: { email },
      product_id: product,
      quantity: 1,
    }
    const made = await own.call()('POST /subscriptions', body)
    return Object(made.body['customer']).customer_id as string
  }
  expect(await subscribe('ada@example.com')).toBe(own.customer)
  // A part of another's e-mail, or the same in other letters, names another customer.
  expect(await subscribe('a@example.com')).not.toBe(own.customer)
  expect(await subscribe('Ada@example.com')).not.toBe(own.customer)
})
