import { describe, expect, it } from 'vitest'
import { at } from './here.ts'
import { onceMeasured } from './once-measured.ts'
import { fresh } from './plan.ts'
import { checkout, latestOf, pack, pays, shopper } from './shopper.ts'

const advance = (by: string) => onceMeasured(() => at.call('POST /clock/advance', { body: { by } }))

const balanceOf = async (creditId: string, customerId: string) => {
  const path = `/credit-entitlements/${creditId}/balances/${customerId}` as const
  return (await at.call(`GET ${path}`)).body['balance'] ?? null
}

describe('a checkout session', () => {
  it('is paid on its page, and brings the credits of its product once [payments#one-way-to-be-paid, credits#grants]', async () => {
    const { creditId, productId } = await pack(at)
    const returnUrl = 'https://shop.example/thanks?order=7'
    const session = await checkout(at, productId, {
      product_cart: [{ product_id: productId, quantity: 3 }],
      return_url: returnUrl,
      metadata: { order: '7' },
    })
    expect(session.checkout_url).toBe(`${at.url()}/checkout/${session.session_id}`)
    const person = shopper(at)
    const page = await person.visit(`/checkout/${session.session_id}`)
    expect([page.status, page.text.includes('29.97')]).toEqual([200, true])
    expect(page.text).not.toContain(at.keys.write)

    const paid = await person.pay(session.session_id, pays)
    const payment = await latestOf(at, session.session_id)
    expect(payment).toMatchObject({
      status: 'succeeded',
      total_amount: 2997,
      currency: 'EUR',
      card_last_four: '4242',
      metadata: { order: '7' },
      billing: { country: 'DE', zipcode: '10115' },
      product_cart: [{ product_id: productId, quantity: 3 }],
    })
    const back = new URL(paid.location ?? '')
    expect([paid.status, back.origin, back.searchParams.get('order')]).toEqual([
      303,
      'https://shop.example',
      '7',
    ])
    expect([back.searchParams.get('payment_id'), back.searchParams.get('status')]).toEqual([
      payment.payment_id,
      'succeeded',
    ])
    const customerId = payment.customer.customer_id
    expect(await balanceOf(creditId, customerId)).toBe('300')
    const [grant] = (
      await at.client().creditEntitlements.balances.listGrants(customerId, {
        credit_entitlement_id: creditId,
      })
    ).items
    expect(grant).toMatchObject({ source_type: 'one_time', source_id: payment.payment_id })
    const [entry] = (
      await at.client().creditEntitlements.balances.listLedger(customerId, {
        credit_entitlement_id: creditId,
      })
    ).items
    expect(entry).toMatchObject({
      transaction_type: 'credit_added',
      amount: '300',
      reference_type: 'payment',
      reference_id: payment.payment_id,
      metadata: { order: '7' },
    })
    const why = await at.call(`GET /credit-ledger-entries/${entry?.id ?? ''}/explanation`)
    expect(JSON.stringify(why.body)).toContain('100 × 3 = 300')

    const again = await person.pay(session.session_id, pays)
    const seen = await person.visit(`/checkout/${session.session_id}`)
    expect([again.status, seen.status]).toEqual([410, 410])
    expect(await balanceOf(creditId, customerId)).toBe('300')
    const lines = await at.client().payments.retrieveLineItems(payment.payment_id)
    expect(lines.items).toMatchObject([{ items_id: productId, amount: 2997, tax: 0 }])
  })

  it('starts the subscription that it is for, with its first credits [subscriptions#cycles]', async () => {
    const { creditId } = await pack(at)
    const product = await at.client().products.create({
      name: fresh('monthly'),
      tax_category: 'saas',
      credit_entitlements: [{ credit_entitlement_id: creditId, credits_amount: '50' }],
      price: {
        type: 'recurring_price',
        currency: 'USD',
        price: 2_000,
        discount: 10,
        purchasing_power_parity: false,
        payment_frequency_count: 1,
        payment_frequency_interval: 'Month',
        subscription_period_count: 1,
        subscription_period_interval: 'Year',
      },
    })
    const session = await checkout(at, product.product_id, {
      return_url: 'https://shop.example/',
      custom_fields: [{ field_type: 'text', key: 'team', label: 'Team' }],
    })
    const paid = await shopper(at).pay(session.session_id, pays, { 'custom_fields[team]': 'Blue' })
    const payment = await latestOf(at, session.session_id)
    expect(payment).toMatchObject({ status: 'succeeded', total_amount: 1_800 })
    const subscription = await at.client().subscriptions.retrieve(payment.subscription_id ?? '')
    expect(subscription).toMatchObject({
      status: 'active',
      product_id: product.product_id,
      recurring_pre_tax_amount: 1_800,
      custom_field_responses: [{ key: 'team', value: 'Blue' }],
    })
    const back = new URL(paid.location ?? '').searchParams
    expect([back.get('subscription_id'), back.get('status'), back.get('payment_id')]).toEqual([
      payment.subscription_id,
      'active',
      null,
    ])
    expect(await balanceOf(creditId, payment.customer.customer_id)).toBe('50')
  })

  it('says why a card was declined, and takes another [payments#sandbox-cards]', async () => {
    const { creditId, productId } = await pack(at)
    const declines: readonly [string, string][] = [
      ['4000000000000002', 'CARD_DECLINED'],
      ['4000000000009995', 'INSUFFICIENT_FUNDS'],
      ['4000000000000069', 'EXPIRED_CARD'],
      ['4000000000000127', 'INCORRECT_CVC'],
      ['4111111111111111', 'INVALID_CARD_NUMBER'],
    ]
    const session = await checkout(at, productId)
    const person = shopper(at)
    const attempts = new Set<string>()
    for (const [card, code] of declines) {
      const answer = await person.pay(session.session_id, card)
      const payment = await latestOf(at, session.session_id)
      attempts.add(payment.payment_id)
      expect([answer.status, payment.status, payment.error_code], card).toEqual([
        402,
        'failed',
        code,
      ])
      expect(answer.text).toContain(payment.error_message ?? '?')
      expect(answer.text).not.toContain(card)
    }
    expect(attempts.size).toBe(declines.length)
    const paid = await person.pay(session.session_id, '5555 5555 5555 4444')
    expect([paid.status, paid.location]).toEqual([303, `/checkout/${session.session_id}/done`])
    // The invoice opens from there, without a key.
    const done = await person.visit(paid.location ?? '')
    const link = /href="(\/invoices\/payments\/[^"]+)"/.exec(done.text)?.[1] ?? ''
    expect((await person.visit(link)).headers.get('content-type')).toBe('application/pdf')
    const { customer } = await latestOf(at, session.session_id)
    expect(await balanceOf(creditId, customer.customer_id)).toBe('100')
  })

  it('marks the fields that are wrong, and writes nothing [payments#pages]', async () => {
    const { productId } = await pack(at)
    const session = await at.client().checkoutSessions.create({
      product_cart: [{ product_id: productId, quantity: 1 }],
      custom_fields: [
        { field_type: 'dropdown', key: 'size', label: 'Size', options: ['S', 'M'], required: true },
      ],
    })
    const person = shopper(at)
    const wrong: readonly [Record<string, string>, string][] = [
      [{ email: 'nobody', 'custom_fields[size]': 'S' }, 'name="email"'],
      [{ country: 'XX', 'custom_fields[size]': 'S' }, 'name="country"'],
      [{ card_number: '12', 'custom_fields[size]': 'S' }, 'name="card_number"'],
      [{ card_expiry: '13/30', 'custom_fields[size]': 'S' }, 'name="card_expiry"'],
      [{ card_expiry: '01/20', 'custom_fields[size]': 'S' }, 'name="card_expiry"'],
      [{ card_cvc: 'abc', 'custom_fields[size]': 'S' }, 'name="card_cvc"'],
      [{ 'custom_fields[size]': 'XL' }, 'name="custom_fields[size]"'],
      [{ name: '<script>alert(1)</script>' }, 'name="custom_fields[size]"'],
    ]
    for (const [fields, field] of wrong) {
      const answer = await person.pay(session.session_id, pays, fields)
      expect([answer.status, answer.text.includes('aria-invalid')], field).toEqual([422, true])
      expect(answer.text).toContain(field)
      expect(answer.text).not.toContain('<script>')
    }
    const before = await at.client().checkoutSessions.retrieve(session.session_id)
    expect(before.payment_id).toBeNull()
    await person.pay(session.session_id, pays, { 'custom_fields[size]': 'M' })
    expect(await latestOf(at, session.session_id)).toMatchObject({
      status: 'succeeded',
      custom_field_responses: [{ key: 'size', value: 'M' }],
    })
  })

  it('asks for 3-D Secure, and charges only who passes it', async () => {
    const { creditId, productId } = await pack(at)
    const session = await checkout(at, productId)
    const person = shopper(at)
    const verify = `/checkout/${session.session_id}/verify`
    const asked = await person.pay(session.session_id, '4000 0027 6000 3184')
    expect([asked.status, asked.location]).toEqual([303, verify])
    expect((await person.visit(verify)).text).toContain('value="pass"')
    const failed = await person.send(verify, { outcome: 'fail' })
    expect([failed.status, (await latestOf(at, session.session_id)).error_code]).toEqual([
      402,
      'AUTHENTICATION_FAILURE',
    ])
    const late = await person.send(verify, { outcome: 'pass' })
    expect([late.status, (await latestOf(at, session.session_id)).status]).toEqual([409, 'failed'])
    await person.pay(session.session_id, '4000 0027 6000 3184')
    const passes = await Promise.all([1, 2, 3].map(() => person.send(verify, { outcome: 'pass' })))
    // The others learn that it is on its way, or done.
    expect(passes.map(({ status }) => status)).toContain(303)
    const payment = await latestOf(at, session.session_id)
    expect(payment.status).toBe('succeeded')
    expect(await balanceOf(creditId, payment.customer.customer_id)).toBe('100')
  })

  it('hears late, doubled and disordered news once, by the test clock [payments#news]', async () => {
    const { creditId, productId } = await pack(at)
    const cards: readonly [string, string][] = [
      ['4000 0000 0000 7015', 'processing'],
      ['4000 0000 0000 7023', 'succeeded'],
      ['4000 0000 0000 7031', 'processing'],
      ['4000 0000 0000 7049', 'processing'],
    ]
    const customers: string[] = []
    for (const [card, status] of cards) {
      const session = await checkout(at, productId)
      await shopper(at).pay(session.session_id, card)
      const payment = await latestOf(at, session.session_id)
      expect(payment.status, card).toBe(status)
      customers.push(payment.customer.customer_id)
    }
    expect((await advance('PT10M')).status).toBe(200)
    for (const [index, customerId] of customers.entries()) {
      expect(await balanceOf(creditId, customerId), cards[index]?.[0]).toBe('100')
      const { items } = await at.client().payments.list({ customer_id: customerId })
      expect(items.map(({ status }) => status)).toEqual(['succeeded'])
    }
  })

  it('is charged once, however many pay it at once', async () => {
    const { creditId, productId } = await pack(at)
    const session = await checkout(at, productId)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => shopper(at).pay(session.session_id, pays)),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    const payment = await latestOf(at, session.session_id)
    const { items } = await at.client().payments.list({
      customer_id: payment.customer.customer_id,
    })
    expect(items).toHaveLength(1)
    expect(await balanceOf(creditId, payment.customer.customer_id)).toBe('100')
  })

  it('expires after a day, by the test clock', async () => {
    const { productId } = await pack(at)
    const session = await checkout(at, productId)
    expect((await advance('P1DT1S')).status).toBe(200)
    expect((await shopper(at).visit(`/checkout/${session.session_id}`)).status).toBe(410)
    expect((await shopper(at).pay(session.session_id, pays)).status).toBe(410)
  })
})
