import { describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { onceMeasured } from '../once-measured.ts'
import { fresh } from '../plan.ts'
import { checkout, latestOf, pack, pays, shopper } from '../shopper.ts'

const someone = () => ({ email: `${fresh('payer').replace(' ', '.')}@example.com`, name: 'Ada' })

const open = async (productId: string, more: object = {}) =>
  at.client().payments.create({
    billing: { country: 'DE', zipcode: '10115' },
    customer: someone(),
    payment_link: true,
    product_cart: [{ product_id: productId, quantity: 2 }],
    ...more,
  })

const sessionIn = (link: string | null | undefined): string =>
  /\/checkout\/(cks_[\w-]+)$/.exec(link ?? '')?.[1] ?? `none in ${link}`

const advance = (by: string) => onceMeasured(() => at.call('POST /clock/advance', { body: { by } }))

const balanceOf = async (creditId: string, customerId: string) => {
  const path = `/credit-entitlements/${creditId}/balances/${customerId}` as const
  return (await at.call(`GET ${path}`)).body['balance'] ?? null
}

describe('a payment without a session [payments#payments-without-a-session]', () => {
  it('waits for its page, on which the first attempt is itself', async () => {
    const { creditId, productId } = await pack(at)
    const made = await open(productId, { metadata: { order: '7' } })
    expect(made).toMatchObject({
      total_amount: 1998,
      metadata: { order: '7' },
      product_cart: [{ product_id: productId, quantity: 2 }],
      client_secret: expect.stringMatching(/^pay_[\w-]+_secret_/),
    })
    expect(made.payment_link).toMatch(new RegExp(`^${at.url()}/checkout/cks_`))
    const before = await at.client().payments.retrieve(made.payment_id)
    expect([before.status, before.payment_link]).toEqual([
      'requires_payment_method',
      made.payment_link,
    ])
    const sessionId = sessionIn(made.payment_link)
    const person = shopper(at)
    const page = await person.visit(`/checkout/${sessionId}`)
    expect([page.status, page.text.includes('19.98')]).toEqual([200, true])
    const paid = await person.pay(sessionId, pays, { email: 'other@example.com', zipcode: '1' })
    expect(paid.status).toBe(303)
    const after = await at.client().payments.retrieve(made.payment_id)
    expect(after).toMatchObject({
      status: 'succeeded',
      customer: made.customer,
      billing: { country: 'DE', zipcode: '10115' },
      card_last_four: '4242',
      checkout_session_id: sessionId,
      created_at: before.created_at,
    })
    expect(await balanceOf(creditId, made.customer.customer_id)).toBe('200')
    expect((await person.pay(sessionId, pays)).status).toBe(410)
  })

  it('fails with its first attempt, and the next one is another', async () => {
    const { creditId, productId } = await pack(at)
    const made = await open(productId)
    const sessionId = sessionIn(made.payment_link)
    const person = shopper(at)
    expect((await person.pay(sessionId, '4000 0000 0000 0002')).status).toBe(402)
    expect((await at.client().payments.retrieve(made.payment_id)).status).toBe('failed')
    expect((await person.pay(sessionId, pays)).status).toBe(303)
    const latest = await latestOf(at, sessionId)
    expect(latest.payment_id).not.toBe(made.payment_id)
    expect((await at.client().payments.retrieve(made.payment_id)).status).toBe('failed')
    expect(await balanceOf(creditId, made.customer.customer_id)).toBe('200')
  })

  it('is charged once, however many pay it at once', async () => {
    const { creditId, productId } = await pack(at)
    const made = await open(productId)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => shopper(at).pay(sessionIn(made.payment_link), pays)),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    const query = { customer_id: made.customer.customer_id }
    expect((await at.client().payments.list(query)).items).toHaveLength(1)
    expect(await balanceOf(creditId, made.customer.customer_id)).toBe('200')
  })

  it('has no link unless one is asked for, and belongs to the newest customer of the e-mail', async () => {
    const { productId } = await pack(at)
    const customer = someone()
    const known = await at.client().customers.create(customer)
    const made = await open(productId, { payment_link: false, customer: { email: customer.email } })
    expect([made.payment_link, made.customer.customer_id]).toEqual([null, known.customer_id])
    expect((await at.client().payments.retrieve(made.payment_id)).payment_link).toBeNull()
  })

  it('is paid at once where it is of 0', async () => {
    const { creditId, productId } = await pack(at)
    await at.client().products.update(productId, {
      price: { type: 'one_time_price', currency: 'EUR', price: 0, discount: 0 },
    })
    const made = await open(productId)
    const paid = await at.client().payments.retrieve(made.payment_id)
    expect([made.total_amount, made.expires_on, paid.status]).toEqual([0, null, 'succeeded'])
    expect(await balanceOf(creditId, made.customer.customer_id)).toBe('200')
  })

  it('is refused what a session would be, and subscriptions', async () => {
    const { productId } = await pack(at)
    const plan = await at.client().products.create({
      name: fresh('plan'),
      tax_category: 'saas',
      price: {
        type: 'recurring_price',
        currency: 'EUR',
        price: 100,
        discount: 0,
        payment_frequency_count: 1,
        payment_frequency_interval: 'Month',
        subscription_period_count: 1,
        subscription_period_interval: 'Year',
      },
    })
    const body = {
      billing: { country: 'DE' },
      customer: someone(),
      product_cart: [{ product_id: productId, quantity: 1 }],
    }
    const refused = [
      [{ ...body, product_cart: [{ product_id: plan.product_id, quantity: 1 }] }, 422],
      [{ ...body, product_cart: [{ product_id: 'pdt_none', quantity: 1 }] }, 404],
      [{ ...body, product_cart: [] }, 422],
      [{ ...body, customer: { customer_id: 'cus_none' } }, 404],
      [{ ...body, customer: {} }, 422],
      [{ ...body, billing: {} }, 422],
      [{ ...body, billing: undefined }, 422],
      [{ ...body, return_url: 'javascript:alert(1)' }, 422],
      [{ ...body, payment_link: 'yes' }, 422],
      [{ ...body, tax_id: null, customer_business_name: 'Ada Ltd.' }, 422],
    ] as const
    for (const [each, status] of refused) {
      const answer = await at.call('POST /payments', { body: each })
      expect(answer.status, JSON.stringify(each)).toBe(status)
    }
    expect((await at.call('POST /payments', { body, key: at.keys.read })).status).toBe(403)
  })

  it('comes with a session that is confirmed', async () => {
    const { productId } = await pack(at)
    const billing = { country: 'DE', city: 'Ulm', street: 'Weg 1', zipcode: '89073' } as const
    const session = await checkout(at, productId, { confirm: true, billing_address: billing })
    expect(session).toMatchObject({
      payment_id: expect.stringMatching(/^pay_/),
      client_secret: expect.stringContaining('_secret_'),
      publishable_key: expect.stringMatching(/^pk_test_/),
      checkout_url: `${at.url()}/checkout/${session.session_id}`,
    })
    const shown = await at.client().checkoutSessions.retrieve(session.session_id)
    expect([shown.payment_id, shown.payment_status]).toEqual([
      session.payment_id,
      'requires_payment_method',
    ])
    await shopper(at).pay(session.session_id, pays)
    const paid = await at.client().payments.retrieve(session.payment_id ?? '')
    expect([paid.status, paid.billing.city]).toEqual(['succeeded', 'Ulm'])
  })

  it('is cancelled where nobody tries in time', async () => {
    const { productId } = await pack(at)
    const made = await open(productId)
    expect((await advance('PT24H')).status).toBe(200)
    const after = await at.client().payments.retrieve(made.payment_id)
    expect(after.status).toBe('cancelled')
    const late = await shopper(at).pay(sessionIn(made.payment_link), pays)
    expect(late.status).toBe(410)
  })
})
