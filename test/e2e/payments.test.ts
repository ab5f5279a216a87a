import { describe, expect, it } from 'vitest'
import { openReceiver } from '../support/webhooks/receiver.ts'
import { at } from './here.ts'
import { fresh } from './plan.ts'
import { checkout, latestOf, pack, pays, shopper } from './shopper.ts'

describe('payments', () => {
  it('are told, the cause first [webhooks#kinds]', async () => {
    const { creditId, productId } = await pack(at)
    const receiver = await openReceiver()
    const { id } = await at.client().webhooks.create({ url: receiver.url })
    try {
      const session = await checkout(at, productId)
      await shopper(at).pay(session.session_id, '4000000000000002')
      await shopper(at).pay(session.session_id, pays)
      const told = () =>
        receiver.received
          .map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
          .filter(
            ({ data }) =>
              data['checkout_session_id'] === session.session_id ||
              data['credit_entitlement_id'] === creditId,
          )
      await expect
        .poll(() => told().map(({ type }) => type), { timeout: 20_000 })
        .toEqual(['payment.failed', 'payment.succeeded', 'credit.added'])
      const payment = await latestOf(at, session.session_id)
      const [, succeeded] = told()
      expect(succeeded?.data).toEqual({
        ...JSON.parse(JSON.stringify(payment)),
        // Nobody asked for it, and the server's port is any free one.
        invoice_url: null,
        payload_type: 'Payment',
      })
    } finally {
      await at.client().webhooks.delete(id)
      await receiver.close()
    }
  })

  it('are listed by every filter, newest first [requests#lists]', async () => {
    const { productId } = await pack(at)
    const session = await checkout(at, productId)
    await shopper(at).pay(session.session_id, '4000000000000002')
    await shopper(at).pay(session.session_id, pays)
    const payments = at.client().payments
    const { customer, brand_id } = await latestOf(at, session.session_id)
    const mine = { product_id: productId }
    const statuses = async (query: object) =>
      (await payments.list({ ...mine, ...query })).items.map(({ status }) => status)
    const both = ['succeeded', 'failed']
    expect(await statuses({})).toEqual(both)
    expect(await statuses({ customer_id: customer.customer_id, brand_id })).toEqual(both)
    expect(await statuses({ status: 'failed' })).toEqual(['failed'])
    expect(await statuses({ currency: 'EUR' })).toEqual(both)
    expect(await statuses({ currency: 'USD' })).toEqual([])
    expect(await statuses({ subscription_id: 'sub_x' })).toEqual([])
    expect(await statuses({ page_size: 1, page_number: 1 })).toEqual(['failed'])
    expect(await statuses({ created_at_lte: '2020-01-01T00:00:00Z' })).toEqual([])
    const wrong = await at.call('GET /payments?status=paid')
    expect([wrong.status, wrong.body.code]).toEqual([422, 'INVALID_QUERY_PARAMS'])
    expect((await at.call('GET /payments?dispute_status=lost')).status).toBe(422)
    expect((await at.call('GET /payments?dispute_status=dispute_lost')).body).toEqual({ items: [] })
    expect((await at.call('GET /payments/pay_x')).status).toBe(404)
  })

  it('are made by the command, and in live mode marked by the operator', async () => {
    const { productId } = await pack(at)
    const session = await checkout(at, productId)
    const pay = ['checkout', 'pay', session.session_id]
    await expect(at.sluice(...pay, '--email', 'nobody')).rejects.toThrow('--email')
    const paid = await at.sluice(...pay, '--email', 'eve@example.com')
    expect(paid).toMatchObject({ session_id: session.session_id, status: 'succeeded' })
    await expect(at.sluice(...pay)).rejects.toThrow()

    const live = at.client(at.keys.live, true)
    const product = await live.products.create({
      name: fresh('live'),
      tax_category: 'saas',
      price: {
        type: 'one_time_price',
        currency: 'JPY',
        price: 1_200,
        discount: 0,
        purchasing_power_parity: false,
      },
    })
    const real = await live.checkoutSessions.create({
      product_cart: [{ product_id: product.product_id, quantity: 1 }],
      customer: { email: 'eve@example.com' },
    })
    const page = await fetch(`${at.url('live')}/checkout/${real.session_id}`)
    expect(await page.text()).toContain('1,200')
    await fetch(`${at.url('live')}/checkout/${real.session_id}/pay`, {
      method: 'POST',
      body: new URLSearchParams({ country: 'JP' }),
      redirect: 'manual',
    })
    const { payment_id: id } = await live.checkoutSessions.retrieve(real.session_id)
    expect((await live.payments.retrieve(id ?? '')).status).toBe('processing')
    await at.sluice('payments', 'mark', id ?? '', 'succeeded')
    await at.sluice('payments', 'mark', id ?? '', 'succeeded')
    expect((await live.payments.retrieve(id ?? '')).status).toBe('succeeded')
    await expect(at.sluice('payments', 'mark', id ?? '', 'failed')).rejects.toThrow()
  })
})
