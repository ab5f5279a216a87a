import { describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { onceMeasured } from '../once-measured.ts'
import { fresh } from '../plan.ts'
import { monthly, pack, pays, shopper } from '../shopper.ts'

const subscribe = (productId: string, more: object = {}) =>
  at.client().subscriptions.create({
    billing: { country: 'DE' },
    customer: { email: `${fresh('subscriber').replace(' ', '.')}@example.com`, name: 'Ada' },
    payment_link: true,
    product_id: productId,
    quantity: 1,
    ...more,
  })

const sessionIn = (link: string | null | undefined): string =>
  /\/checkout\/(cks_[\w-]+)$/.exec(link ?? '')?.[1] ?? `none in ${link}`

const read = (id: string) => at.client().subscriptions.retrieve(id)
const advance = (by: string) => onceMeasured(() => at.call('POST /clock/advance', { body: { by } }))
const balanceOf = async (creditId: string, customerId: string) => {
  const path = `/credit-entitlements/${creditId}/balances/${customerId}` as const
  return (await at.call(`GET ${path}`)).body['balance'] ?? null
}

describe('a subscription with a first charge [subscriptions#pending]', () => {
  it('waits for its payment, and begins with it', async () => {
    const { creditId, productId } = await monthly(at)
    const other = await pack(at)
    const made = await subscribe(productId, {
      quantity: 2,
      metadata: { order: '7' },
      return_url: 'https://shop.example/thanks',
      one_time_product_cart: [{ product_id: other.productId, quantity: 1 }],
    })
    expect(made).toMatchObject({
      recurring_pre_tax_amount: 4000,
      one_time_product_cart: [{ product_id: other.productId, quantity: 1 }],
      client_secret: expect.stringContaining('_secret_'),
      expires_on: expect.any(String),
    })
    const waiting = await read(made.subscription_id)
    expect(waiting).toMatchObject({ status: 'pending', quantity: 2, metadata: { order: '7' } })
    const customerId = made.customer.customer_id
    expect(await balanceOf(creditId, customerId)).toBeNull()
    await at.client().subscriptions.update(made.subscription_id, { metadata: { order: '8' } })
    expect((await advance('PT1H')).status).toBe(200)

    const paid = await shopper(at).pay(sessionIn(made.payment_link), pays)
    const back = new URL(paid.location ?? '')
    expect([back.searchParams.get('subscription_id'), back.searchParams.get('status')]).toEqual([
      made.subscription_id,
      'active',
    ])
    const begun = await read(made.subscription_id)
    expect(begun).toMatchObject({
      status: 'active',
      metadata: { order: '8' },
      created_at: waiting.created_at,
    })
    expect(begun.previous_billing_date > waiting.previous_billing_date).toBe(true)
    const payment = await at.client().payments.retrieve(made.payment_id)
    expect(payment).toMatchObject({
      status: 'succeeded',
      total_amount: 4999,
      subscription_id: made.subscription_id,
    })
    expect(await balanceOf(creditId, customerId)).toBe('200')
    expect(await balanceOf(other.creditId, customerId)).toBe('100')
    const all = await at.client().subscriptions.list({ customer_id: customerId })
    expect(all.items).toHaveLength(1)
  })

  it('fails for good with its payment, and its page is closed', async () => {
    const { creditId, productId } = await monthly(at)
    const made = await subscribe(productId)
    const sessionId = sessionIn(made.payment_link)
    const person = shopper(at)
    const declined = await person.pay(sessionId, '4000 0000 0000 0002')
    expect([declined.status, declined.text.includes('declined')]).toEqual([402, true])
    expect((await read(made.subscription_id)).status).toBe('failed')
    expect((await person.pay(sessionId, pays)).status).toBe(410)
    expect((await person.visit(`/checkout/${sessionId}`)).status).toBe(410)
    expect((await at.client().payments.retrieve(made.payment_id)).status).toBe('failed')
    expect(await balanceOf(creditId, made.customer.customer_id)).toBeNull()
    const revived = await at.call(`PATCH /subscriptions/${made.subscription_id}`, {
      body: { status: 'active' },
    })
    expect(revived.status).toBe(409)
  })

  it('hears late news as it hears early ones, once', async () => {
    const { creditId, productId } = await monthly(at)
    const made = await subscribe(productId, { return_url: 'https://shop.example/' })
    const paid = await shopper(at).pay(sessionIn(made.payment_link), '4000 0000 0000 7015')
    expect(new URL(paid.location ?? '').searchParams.get('status')).toBe('processing')
    expect((await read(made.subscription_id)).status).toBe('pending')
    expect((await advance('PT10M')).status).toBe(200)
    expect((await read(made.subscription_id)).status).toBe('active')
    expect(await balanceOf(creditId, made.customer.customer_id)).toBe('100')
  })

  it('is charged the price of its country, though the product itself costs nothing', async () => {
    const { product_id } = await at.client().products.create({
      name: 'Free elsewhere',
      tax_category: 'saas',
      pricing_mode: 'by_country',
      price: {
        type: 'recurring_price',
        currency: 'USD',
        discount: 0,
        price: 0,
        payment_frequency_count: 1,
        payment_frequency_interval: 'Month',
        subscription_period_count: 1,
        subscription_period_interval: 'Year',
      },
    })
    const german = { amount: 800, currency: 'EUR', country_code: 'DE' } as const
    await at.client().products.localizedPrices.create(product_id, german)
    const made = await subscribe(product_id)
    expect(await read(made.subscription_id)).toMatchObject({ status: 'pending', currency: 'EUR' })
    const payment = await at.client().payments.retrieve(made.payment_id)
    expect(payment).toMatchObject({ status: 'requires_payment_method', currency: 'EUR' })
  })

  it('is charged at once where a saved method is named, as any payment is', async () => {
    const { creditId, productId } = await monthly(at)
    const first = await subscribe(productId)
    await shopper(at).pay(sessionIn(first.payment_link), pays)
    const customer_id = first.customer.customer_id
    const { items } = await at.client().customers.retrievePaymentMethods(customer_id)
    const payment_method_id = items[0]?.payment_method_id ?? ''
    const of = { customer: { customer_id }, payment_method_id }
    const second = await subscribe(productId, of)
    expect((await read(second.subscription_id)).status).toBe('active')
    // Nobody has to pay on a page any more.
    expect([second.payment_link, second.expires_on]).toEqual([null, null])
    const other = await pack(at)
    const cart = [{ product_id: other.productId, quantity: 1 }]
    const billing = { country: 'DE', city: 'Ulm', street: 'Weg 1', zipcode: '89073' } as const
    const paid = await at.client().payments.create({ billing, product_cart: cart, ...of })
    expect(await at.client().payments.retrieve(paid.payment_id)).toMatchObject({
      status: 'succeeded',
      card_last_four: '4242',
      payment_method_id,
    })
    const session = await at.client().checkoutSessions.create({
      ...of,
      billing_address: billing,
      confirm: true,
      product_cart: cart,
    })
    expect(session.checkout_url).toBeNull()
    const direct = await at.client().payments.retrieve(session.payment_id ?? '')
    expect(direct.status).toBe('succeeded')
    expect(await balanceOf(other.creditId, customer_id)).toBe('200')
    expect(await balanceOf(creditId, customer_id)).toBe('200')
    const stranger = await at.client().customers.create({ email: 'x@example.com', name: 'X' })
    const body = { billing, product_cart: cart, payment_method_id }
    const refused = [
      [{ ...body, customer: { customer_id: stranger.customer_id } }, 404],
      [{ ...body, customer: { customer_id }, payment_method_id: 'pm_none' }, 404],
      [{ ...body, customer: { email: 'x@example.com' } }, 422],
    ] as const
    for (const [each, status] of refused) {
      expect((await at.call('POST /payments', { body: each })).status).toBe(status)
    }
    const open = { ...of, product_cart: cart, billing_address: billing }
    expect((await at.call('POST /checkouts', { body: open })).status).toBe(422)
  })

  it('moves with its brand while it waits, and begins there', async () => {
    const { productId } = await monthly(at)
    const brand = await at.client().brands.create({ name: fresh('brand') })
    const primary = (await at.client().products.retrieve(productId)).brand_id
    expect(primary).toBe(at.businessId)
    const moved = await at.client().products.create({
      name: fresh('branded plan'),
      tax_category: 'saas',
      brand_id: brand.brand_id,
      price: (await at.client().products.retrieve(productId)).price,
    })
    const made = await subscribe(moved.product_id)
    await at.client().brands.archive(brand.brand_id, { move_products_to: at.businessId })
    expect((await read(made.subscription_id)).brand_id).toBe(at.businessId)
    const payment = await at.client().payments.retrieve(made.payment_id)
    expect(payment.brand_id).toBe(at.businessId)
    await shopper(at).pay(sessionIn(made.payment_link), pays)
    expect(await read(made.subscription_id)).toMatchObject({
      status: 'active',
      brand_id: at.businessId,
    })
  })

  it('says what a unit of its trial has cost, where that is paid', async () => {
    const { product_id } = await at.client().products.create({
      name: fresh('tried'),
      tax_category: 'saas',
      price: {
        type: 'recurring_price',
        currency: 'EUR',
        price: 2_000,
        discount: 0,
        purchasing_power_parity: false,
        payment_frequency_count: 1,
        payment_frequency_interval: 'Month',
        subscription_period_count: 1,
        subscription_period_interval: 'Year',
        trial_period_days: 7,
        trial_amount: 300,
      },
    })
    const made = await subscribe(product_id, { quantity: 2 })
    expect(made.trial_amount).toBe(300)
    const payment = await at.client().payments.retrieve(made.payment_id)
    expect(payment.total_amount).toBe(600)
    await shopper(at).pay(sessionIn(made.payment_link), pays)
    expect(await read(made.subscription_id)).toMatchObject({ status: 'active', trial_amount: 300 })
    const free = await subscribe((await monthly(at)).productId, { trial_period_days: 3 })
    expect([free.trial_amount, (await read(free.subscription_id)).trial_amount]).toEqual([
      null,
      null,
    ])
  })

  it('has failed where nobody tries to pay it in time', async () => {
    const { productId } = await monthly(at)
    const made = await subscribe(productId, { payment_link: false })
    expect(made.payment_link).toBeNull()
    expect((await advance('PT24H')).status).toBe(200)
    expect((await read(made.subscription_id)).status).toBe('failed')
    expect((await at.client().payments.retrieve(made.payment_id)).status).toBe('cancelled')
  })
})
