import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { openShop } from '../../support/process/shop.ts'
import { base, usageBased } from '../../support/wire/products.ts'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await openPipeline()
})
afterAll(() => pipeline.drop())

/** A subscription whose product says some of its credits' settings; the entitlement the rest. */
async function subscribed() {
  const shop = await openShop(
    pipeline,
    {},
    {
      rollover_enabled: true,
      rollover_percentage: 40,
      max_rollover_count: 3,
      overage_enabled: true,
      price_per_unit: '1',
      currency: 'USD',
      expires_after_days: 90,
    },
  )
  const mapping = {
    credit_entitlement_id: shop.creditId,
    credits_amount: '100',
    overage_limit: '50',
    low_balance_threshold_percent: 20,
  }
  const call = shop.call()
  const price = { ...usageBased, meters: [] }
  const product = await call('POST /products', { ...base, price, credit_entitlements: [mapping] })
  const made = await call('POST /subscriptions', {
    billing: { country: 'GB' },
    customer: { customer_id: shop.customer },
    product_id: product.body.product_id,
    quantity: 1,
  })
  const path = `/subscriptions/${String(made.body['subscription_id'])}` as const
  const cart = { credit_entitlement_id: shop.creditId }
  const patch = (change: object) =>
    call(`PATCH ${path}`, { credit_entitlement_cart: [{ ...cart, ...change }] })
  const shown = async (): Promise<Record<string, unknown>> => {
    const { body } = await call(`GET ${path}`)
    return Object((body['credit_entitlement_cart'] as unknown[])[0])
  }
  return { call, path, patch, shown }
}

describe('an override of a subscription’s credits [requests#nulls]', () => {
  const own = {
    credits_amount: '7',
    expires_after_days: 30,
    low_balance_threshold_percent: 5,
    max_rollover_count: 1,
    overage_enabled: false,
    overage_limit: '9',
    rollover_enabled: false,
    rollover_percentage: 10,
    rollover_timeframe_count: 2,
    rollover_timeframe_interval: 'Week',
  }

  it('is cleared by null, and then the product’s or the entitlement’s holds', async () => {
    const { patch, shown } = await subscribed()
    const bought = await shown()
    expect(bought).toMatchObject({ overage_limit: '50', expires_after_days: 90 })
    expect((await patch(own)).status).toBe(200)
    expect(await shown()).toMatchObject(own)
    // Absent leaves it.
    expect((await patch({})).status).toBe(200)
    expect(await shown()).toMatchObject(own)
    // Each by itself; the timeframe's two go together.
    for (const name of Object.keys(own).filter((key) => !key.includes('timeframe'))) {
      expect((await patch({ [name]: null })).status).toBe(200)
      expect((await shown())[name]).toEqual(bought[name])
    }
    const timeframe = { rollover_timeframe_count: null, rollover_timeframe_interval: null }
    expect((await patch(timeframe)).status).toBe(200)
    expect(await shown()).toEqual(bought)
  })

  it('changes nothing with null where there is none', async () => {
    const { patch, shown } = await subscribed()
    const bought = await shown()
    const nulls = Object.fromEntries(Object.keys(own).map((name) => [name, null]))
    expect((await patch(nulls)).status).toBe(200)
    expect(await shown()).toEqual(bought)
  })

  it.each([
    ['overage_behavior', 'carry_deficit'],
    ['price_per_unit', '2'],
    ['currency', 'EUR'],
    ['proration_behavior', 'prorate'],
    ['trial_credits', '1'],
    ['trial_credits_expire_after_trial', true],
  ])('cannot be one of %s, which is the product’s', async (name, value) => {
    const { patch } = await subscribed()
    const refused = await patch({ [name]: value })
    expect(refused).toMatchObject({ status: 422, body: { code: 'INVALID_REQUEST_BODY' } })
    expect(refused.body.message).toContain(`credit_entitlement_cart[0].${name} cannot be changed`)
    expect((await patch({ [name]: null })).status).toBe(200)
  })

  it('is at most 10^10 credits together', async () => {
    const { patch } = await subscribed()
    expect((await patch({ credits_amount: '9999999999.99' })).status).toBe(200)
    expect((await patch({ credits_amount: '10000000000' })).status).toBe(422)
  })
})

it('what a PATCH can clear of a subscription it clears, and a pause stands alone', async () => {
  const { call, path } = await subscribed()
  const patch = async (body: object) => (await call(`PATCH ${path}`, body)).body
  const set = { tax_id: 'T1', customer_business_name: 'Acme', customer_name: 'Eve' }
  expect(await patch(set)).toMatchObject({
    tax_id: 'T1',
    customer_business_name: 'Acme',
    customer: { name: 'Eve' },
  })
  expect(
    await patch({ tax_id: null, customer_business_name: null, customer_name: null }),
  ).toMatchObject({
    tax_id: null,
    customer_business_name: null,
    customer: { name: 'Ada' },
  })
  const why = { cancellation_comment: 'dear', cancellation_feedback: 'too_expensive' }
  expect(await patch({ cancel_at_next_billing_date: true, ...why })).toMatchObject(why)
  expect(await patch({ cancellation_comment: null })).toMatchObject({
    cancellation_comment: null,
    cancellation_feedback: 'too_expensive',
  })
  for (const other of [{ metadata: null }, { tax_id: null }, { metadata: {} }]) {
    expect((await call(`PATCH ${path}`, { status: 'paused', ...other })).status).toBe(422)
  }
  expect((await call(`PATCH ${path}`, { status: 'paused', billing: null })).status).toBe(200)
})

it('ends at once, also where the same request says that it does not wait for the cycle', async () => {
  const { call, path } = await subscribed()
  const patch = (body: object) => call(`PATCH ${path}`, body)
  const why = { cancellation_comment: 'dear', cancellation_feedback: 'too_expensive' }
  await patch({ cancel_at_next_billing_date: true })
  const both = { status: 'cancelled', cancel_at_next_billing_date: true }
  expect((await patch(both)).status).toBe(422)
  const atOnce = { ...both, cancel_at_next_billing_date: false, ...why }
  expect(await patch(atOnce)).toMatchObject({ status: 200, body: atOnce })
})
