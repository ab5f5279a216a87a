import { describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { checkout, latestOf, monthly, onDemandOf, pack, pays, shopper } from '../shopper.ts'

const charge = (id: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  at.call(`POST /subscriptions/${id}/charge`, { body, headers })

const mandate = { mandate_only: true }
const codeOf = ({ body, status }: Awaited<ReturnType<typeof charge>>) => [status, body['code']]

describe('a subscription on demand [subscriptions#on-demand]', () => {
  it('is agreed on a page that says so, and wants a card for nothing', async () => {
    const { productId } = await monthly(at)
    const { session_id: id } = await checkout(at, productId, {
      subscription_data: { on_demand: mandate },
    })
    const page = await shopper(at).visit(`/checkout/${id}`)
    expect(page.text).toContain('The seller charges it later')
    expect((await shopper(at).pay(id, '')).status).toBe(422)
    const { session_id: quiet } = await checkout(at, productId, {
      subscription_data: { on_demand: mandate },
      customization: { show_on_demand_tag: false },
    })
    expect((await shopper(at).visit(`/checkout/${quiet}`)).text).not.toContain('charges it later')
    expect((await shopper(at).pay(id, pays)).status).toBe(303)
    expect(await latestOf(at, id)).toMatchObject({ status: 'succeeded', total_amount: 0 })
  })

  it('is charged, and once with one key', async () => {
    const { subscriptionId: id } = await onDemandOf(at)
    const read = await at.client().subscriptions.retrieve(id)
    expect(read).toMatchObject({ on_demand: true, status: 'active' })
    const key = { 'Idempotency-Key': 'ride 7' }
    const asked = { product_price: 2500, product_description: 'A ride', metadata: { ride: '7' } }
    const first = await charge(id, asked, key)
    expect(first).toMatchObject({ status: 200, body: { payment_id: expect.any(String) } })
    expect((await charge(id, asked, key)).body).toEqual(first.body)
    const payment = await at.client().payments.retrieve(String(first.body['payment_id']))
    expect(payment).toMatchObject({
      status: 'succeeded',
      total_amount: 2500,
      subscription_id: id,
      metadata: { ride: '7' },
    })
    const others = { ...asked, product_price: 2501 }
    expect(codeOf(await charge(id, others, key))).toEqual([409, 'CONFLICT'])
    const { items } = await at.client().payments.list({ subscription_id: id })
    expect(items.map(({ total_amount }) => total_amount).toSorted()).toEqual([0, 2500])
  })

  it('waits for its card, where it is made before it is paid', async () => {
    const { productId } = await monthly(at)
    const made = await at.client().subscriptions.create({
      billing: { country: 'DE' },
      customer: { email: 'grace@example.com', name: 'Grace' },
      product_id: productId,
      quantity: 1,
      payment_link: true,
      on_demand: { mandate_only: false, product_price: 300, product_description: 'The start' },
    })
    const { subscription_id: id, payment_link: link } = made
    expect(await at.client().subscriptions.retrieve(id)).toMatchObject({ status: 'pending' })
    expect(codeOf(await charge(id, { product_price: 1 }))).toEqual([422, 'SUBSCRIPTION_INACTIVE'])
    const sessionId = new URL(link ?? '').pathname.split('/').at(-1) ?? ''
    await shopper(at).pay(sessionId, pays)
    const paid = await at.client().payments.retrieve(made.payment_id)
    expect(paid).toMatchObject({ status: 'succeeded', total_amount: 300 })
    const read = await at.client().subscriptions.retrieve(id)
    expect(read).toMatchObject({ on_demand: true, recurring_pre_tax_amount: 2000 })
  })

  it('refuses what does not go with it', async () => {
    const { productId } = await monthly(at)
    const other = await pack(at)
    const asks = (onDemand: object, more: object = {}) =>
      at.call('POST /checkouts', {
        body: {
          product_cart: [{ product_id: productId, quantity: 1 }],
          subscription_data: { on_demand: onDemand },
          ...more,
        },
      })
    const both = [productId, other.productId].map((id) => ({ product_id: id, quantity: 1 }))
    const answers = await Promise.all([
      asks(mandate, { product_cart: both }),
      asks({ ...mandate, product_currency: 'JPY' }),
      asks({}),
      asks({ ...mandate, product_price: -1 }),
      asks({ ...mandate, product_price: 0.5 }),
    ])
    expect(answers.map(codeOf)).toEqual([
      [422, 'ONE_TIME_PRODUCTS_NOT_ALLOWED_FOR_ON_DEMAND'],
      [422, 'UNSUPPORTED_CURRENCY'],
      [422, 'INVALID_REQUEST_BODY'],
      [422, 'INVALID_REQUEST_BODY'],
      [422, 'INVALID_REQUEST_BODY'],
    ])
  })

  it('refuses charges that cannot be, and other plans', async () => {
    const { productId, subscriptionId: id } = await onDemandOf(at)
    const sold = { customer_balance_config: { allow_customer_credits_purchase: true } }
    const change = { product_id: productId, quantity: 1 }
    const answers = await Promise.all([
      charge(id, {}),
      charge(id, { product_price: 0 }),
      charge(id, { product_price: 2 ** 31 }),
      charge(id, { product_price: 1, product_currency: 'USD' }),
      charge(id, { product_price: 1, ...sold }),
      charge('sub_none', { product_price: 1 }),
      at.call(`POST /subscriptions/${id}/change-plan`, {
        body: { ...change, proration_billing_mode: 'do_not_bill' },
      }),
      at.call(`PATCH /subscriptions/${id}`, { body: { disable_on_demand: {} } }),
    ])
    expect(answers.map(codeOf)).toEqual([
      [422, 'INVALID_REQUEST_BODY'],
      [422, 'INVALID_REQUEST_BODY'],
      [422, 'INVALID_REQUEST_BODY'],
      [422, 'UNSUPPORTED_CURRENCY'],
      [422, 'UNSUPPORTED_ACTION'],
      [404, 'NOT_FOUND'],
      [422, 'ON_DEMAND_PLAN_CHANGE_NOT_SUPPORTED'],
      [422, 'INVALID_REQUEST_BODY'],
    ])
    const ended = { next_billing_date: '2031-01-01T00:00:00Z' }
    const answer = await at.call(`PATCH /subscriptions/${id}`, {
      body: { subscription_period_count: 10, disable_on_demand: ended },
    })
    expect(answer).toMatchObject({ status: 200, body: { on_demand: false } })
    expect(answer.body['next_billing_date']).toMatch(/^2031-01-01T00:00:00/)
    expect(codeOf(await charge(id, { product_price: 1 }))).toEqual([
      422,
      'SUBSCRIPTION_NOT_ON_DEMAND',
    ])
  })
})
