import { describe, expect, it } from 'vitest'
import { here, items } from './here.ts'

const charging = () => `/test/subscriptions/${here.shop.onDemand}`

describe('a charge on demand, looked at before it is made', () => {
  it('says what it then charges, and charges nothing', async () => {
    const body = { product_price: 1_250, product_description: 'A ride' }
    const count = async () => {
      const list = `GET /test/payments?subscription_id=${here.shop.onDemand}`
      return items(await here.owner.call(list)).length
    }
    const before = await count()
    const seen = await here.viewer.call(`POST ${charging()}/charge/preview`, { body })
    expect([seen.status, seen.body]).toEqual([
      200,
      { amount: 1_250, tax: 0, from_wallet: 0, currency: 'EUR', card_last_four: '4242' },
    ])
    expect(await count()).toBe(before)
    const made = await here.owner.call(`POST ${charging()}/charge`, { body })
    const paid = await here.owner.call(`GET /test/payments/${made.body['payment_id']}`)
    expect(paid.body).toMatchObject({ status: 'succeeded', total_amount: seen.body['amount'] })
    expect((await here.viewer.call(`POST ${charging()}/charge`, { body })).status).toBe(403)
  })

  it('is refused as the charge is', async () => {
    const other = `/test/subscriptions/${here.shop.subscription}`
    for (const [path, body] of [
      [other, { product_price: 100 }],
      [charging(), { product_price: 0 }],
      [charging(), { product_price: 100, product_currency: 'USD' }],
      [charging(), {}],
    ] as const) {
      const seen = await here.owner.call(`POST ${path}/charge/preview`, { body })
      const made = await here.owner.call(`POST ${path}/charge`, { body })
      expect([path, body, seen.status, seen.body['code']]).toEqual([
        path,
        body,
        made.status,
        made.body['code'],
      ])
      expect(seen.status).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('another method, looked at before it is used', () => {
  it('makes no page and no payment, and says that nothing is owed', async () => {
    const path = `/test/subscriptions/${here.shop.subscription}`
    const before = await here.owner.call('GET /test/payments?page_size=100')
    const methods = await here.owner.call(
      `GET /test/customers/${here.shop.customer}/payment-methods`,
    )
    const [saved] = items(methods)
    for (const body of [
      { type: 'new' },
      { type: 'existing', payment_method_id: String(saved?.['payment_method_id']) },
    ]) {
      const seen = await here.viewer.call(`POST ${path}/update-payment-method/preview`, { body })
      expect([body, seen.status, seen.body]).toEqual([body, 200, { charge: null }])
    }
    expect((await here.owner.call('GET /test/payments?page_size=100')).text).toBe(before.text)
    const wrong = { body: { type: 'existing', payment_method_id: 'pm_nobodys' } }
    const refused = await here.owner.call(`POST ${path}/update-payment-method/preview`, wrong)
    expect(refused.status).toBe(404)
    const neither = { body: { type: 'existing' } }
    const none = await here.owner.call(`POST ${path}/update-payment-method/preview`, neither)
    expect(none.status).toBe(422)
  })
})
