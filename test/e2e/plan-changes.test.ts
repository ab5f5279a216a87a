import type DodoPayments from 'dodopayments'
import { describe, expect, it } from 'vitest'
import { at } from './here.ts'
import { onceMeasured } from './once-measured.ts'
import { fresh, subscriber } from './plan.ts'
import { dearer, withCard } from './with-card.ts'

const month = () => onceMeasured(() => at.call('POST /clock/advance', { body: { by: 'P32D' } }))

const change = (productId: string, rest: object = {}) => ({
  product_id: productId,
  quantity: 1,
  proration_billing_mode: 'prorated_immediately',
  ...rest,
})

describe('a subscription', () => {
  it('refuses what it cannot become, in the order of precedence', async () => {
    const one = await subscriber(at)
    const path = `/subscriptions/${one.subscriptionId}` as const
    const wrong: readonly [object, number, string][] = [
      [{ pause: true }, 422, 'INVALID_REQUEST_BODY'],
      [{ pause: false }, 422, 'INVALID_REQUEST_BODY'],
      [{ status: 'paused', metadata: { a: 1 } }, 422, 'INVALID_REQUEST_BODY'],
      [{ status: 'on_hold' }, 422, 'INVALID_REQUEST_BODY'],
      [{ cancellation_comment: 'no' }, 422, 'INVALID_REQUEST_BODY'],
      [{ next_billing_date: '2020-01-01T00:00:00Z' }, 422, 'INVALID_REQUEST_BODY'],
      [{ next_billing_date: 'soon' }, 422, 'INVALID_REQUEST_BODY'],
      [
        { subscription_period_count: 1, subscription_period_interval: 'Day' },
        422,
        'INVALID_REQUEST_BODY',
      ],
      [
        { disable_on_demand: { next_billing_date: '2100-01-01T00:00:00Z' } },
        422,
        'SUBSCRIPTION_NOT_ON_DEMAND',
      ],
      [
        { credit_entitlement_cart: [{ credit_entitlement_id: 'cde_x' }] },
        422,
        'INVALID_REQUEST_BODY',
      ],
      [
        {
          credit_entitlement_cart: [{ credit_entitlement_id: one.creditId, expires_after_days: 6 }],
        },
        422,
        'INVALID_REQUEST_BODY',
      ],
    ]
    for (const [body, status, code] of wrong) {
      const answer = await at.call(`PATCH ${path}`, { body })
      expect([answer.status, answer.body.code], JSON.stringify(body)).toEqual([status, code])
    }
    const nobody = await at.call('PATCH /subscriptions/sub_nobody', { body: { status: 'paused' } })
    expect(nobody.status).toBe(404)
    const read = await at.call(`PATCH ${path}`, { body: {}, key: at.keys.read })
    expect(read.status).toBe(403)
  })

  it('keeps details, and clears what may be empty', async () => {
    const client = at.client()
    const one = await subscriber(at)
    const changed = await client.subscriptions.update(one.subscriptionId, {
      metadata: { seat: 3 },
      tax_id: 'DE123',
      customer_business_name: 'Ada GmbH',
      customer_name: 'Countess',
      billing: { country: 'FR', city: 'Paris' },
    })
    expect(changed).toMatchObject({
      metadata: { seat: 3 },
      tax_id: 'DE123',
      customer_business_name: 'Ada GmbH',
      customer: { name: 'Countess' },
      billing: { country: 'FR', city: 'Paris', state: null },
    })
    const cleared = await client.subscriptions.update(one.subscriptionId, { tax_id: null })
    expect(cleared).toMatchObject({ tax_id: null, customer_business_name: 'Ada GmbH' })
  })

  it('ends at once: usage counts no more, nothing is granted, what is left stays [credits#endings]', async () => {
    const client = at.client()
    const one = await subscriber(at)
    await one.balance(await one.use({}, {}))
    await client.subscriptions.update(one.subscriptionId, { status: 'paused' })
    const over = await client.subscriptions.update(one.subscriptionId, { status: 'cancelled' })
    expect(over).toMatchObject({ status: 'cancelled', paused_at: null })
    expect(await one.balance(await one.use({}))).toEqual({ balance: '98', overage: '0' })
    for (const status of ['active', 'paused'] as const) {
      const back = client.subscriptions.update(one.subscriptionId, { status })
      await expect(back).rejects.toMatchObject({ status: 409 })
    }
    await client.subscriptions.update(one.subscriptionId, { status: 'cancelled' })
    const path = `/subscriptions/${one.subscriptionId}` as const
    const before = await at.call(`GET ${path}`)
    const cart = [{ credit_entitlement_id: one.creditId, credits_amount: '5' }]
    for (const body of [
      { next_billing_date: '2100-01-01T00:00:00Z' },
      { subscription_period_count: 30 },
      { subscription_period_interval: 'Year' },
      { credit_entitlement_cart: cart },
      { cancel_at_next_billing_date: true },
      { cancel_at_next_billing_date: false },
    ]) {
      const refused = await at.call(`PATCH ${path}`, { body })
      expect([body, refused.status, refused.body.code]).toEqual([
        body,
        422,
        'SUBSCRIPTION_INACTIVE',
      ])
    }
    expect((await at.call(`GET ${path}`)).body).toEqual(before.body)
    await client.subscriptions.update(one.subscriptionId, { metadata: { why: 'moved' } })
  })

  it('is billed at another date when it is told to', async () => {
    const client = at.client()
    const one = await subscriber(at)
    const date = new Date(Date.now() + 5 * 86_400_000).toISOString()
    const moved = await client.subscriptions.update(one.subscriptionId, { next_billing_date: date })
    expect(Date.parse(moved.next_billing_date)).toBe(Date.parse(date))
    await one.balance(await one.use({}))
    const [period] = (await client.subscriptions.retrieveUsageHistory(one.subscriptionId)).items
    expect(period).toMatchObject({
      start_date: moved.previous_billing_date,
      end_date: moved.next_billing_date,
      meters: [{ id: one.meterIds[0], consumed_units: '1', price_per_unit: '0', total_price: 0 }],
    })
  })
})

describe('a plan change', () => {
  it('refuses in the order of precedence', async () => {
    const client = at.client()
    const one = await subscriber(at)
    const { price } = await client.products.retrieve(one.productId)
    const euro = await client.products.create({
      name: fresh('euro'),
      tax_category: 'saas',
      price: { ...price, currency: 'EUR', meters: [] } as DodoPayments.Price,
    })
    const path = `POST /subscriptions/${one.subscriptionId}/change-plan` as const
    const cases: readonly [object, number, string][] = [
      [{}, 422, 'INVALID_REQUEST_BODY'],
      [change(one.productId, { proration_billing_mode: 'someday' }), 422, 'INVALID_REQUEST_BODY'],
      [change('pdt_nobody'), 404, 'NOT_FOUND'],
      [change(one.productId, { quantity: 2 }), 422, 'INVALID_QUANTITY'],
      [change(euro.product_id), 422, 'UNSUPPORTED_ACTION'],
      [
        change(one.productId, { addons: [{ addon_id: 'adn_1', quantity: 1 }] }),
        ...([422, 'MISSING_ADDON_IDS'] as const),
      ],
      [
        change(one.productId, { discount_code: 'X', discount_codes: ['Y'] }),
        ...([422, 'INVALID_REQUEST_BODY'] as const),
      ],
      [change(one.productId, { discount_code: 'X' }), 422, 'INVALID_DISCOUNT_CODE'],
      [change(one.productId, { collect_via_payment_link: true }), 422, 'INVALID_REQUEST_BODY'],
      [
        change(one.productId, { effective_at: 'next_billing_date' }),
        ...([422, 'INVALID_PRORATION_MODE_WITH_NEXT_BILLING_DATE'] as const),
      ],
    ]
    for (const [body, status, code] of cases) {
      for (const target of [path, `${path}/preview`] as const) {
        const answer = await at.call(target, { body })
        expect([answer.status, answer.body.code], JSON.stringify(body)).toEqual([status, code])
      }
    }
    expect((await one.ledger()).length).toBe(1)
    await client.subscriptions.update(one.subscriptionId, { cancel_at_next_billing_date: true })
    const leaving = await at.call(path, { body: change(one.productId) })
    expect([leaving.status, leaving.body.code]).toEqual([
      ...[422, 'PLAN_CHANGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION'],
    ])
    await client.subscriptions.update(one.subscriptionId, { status: 'cancelled' })
    const over = await at.call(path, { body: change(one.productId) })
    expect(over.body.code).toBe('INACTIVE_SUBSCRIPTION_PLAN_CHANGE_NOT_SUPPORTED')
  })

  it('is previewed by who may only read, and stores nothing', async () => {
    const one = await subscriber(at)
    const path = `/subscriptions/${one.subscriptionId}/change-plan/preview` as const
    const body = change(one.productId)
    const seen = await at.call(`POST ${path}`, { body, key: at.keys.read })
    expect(seen.status, seen.text).toBe(200)
    expect(seen.body).toMatchObject({
      immediate_charge: { summary: { total_amount: 0, customer_credits: 0, currency: 'USD' } },
      new_plan: { product_id: one.productId, status: 'active' },
    })
    expect(await one.ledger()).toHaveLength(1)
  })

  it('to a cheaper plan owes its difference, and later charges use that first', async () => {
    const client = at.client()
    const one = await withCard(at, '4242 4242 4242 4242')
    const dear = await dearer(at, one.productId)
    const difference = { proration_billing_mode: 'difference_immediately', quantity: 1 } as const
    const up = { ...difference, product_id: dear.product_id }
    const down = { ...difference, product_id: one.productId }
    const silent = { ...up, proration_billing_mode: 'do_not_bill' } as const
    const full = { ...up, proration_billing_mode: 'full_immediately' } as const
    const { subscriptionId: id } = one
    const told = async (body: typeof up | typeof silent | typeof full) => {
      const preview = await client.subscriptions.previewChangePlan(id, body)
      const { customer_credits, total_amount, settlement_amount } = preview.immediate_charge.summary
      expect(settlement_amount).toBe(total_amount)
      return [total_amount, customer_credits]
    }
    expect(await told(up)).toEqual([900, 0])
    await client.subscriptions.changePlan(id, up)
    expect(await told(down)).toEqual([0, 900])
    await client.subscriptions.changePlan(id, down)
    expect(await told(up)).toEqual([0, -900])
    await client.subscriptions.changePlan(id, up)
    expect(await told(full)).toEqual([900, 0])
    await client.subscriptions.changePlan(id, down)
    // Charged at its renewal, which is paid from what is owed.
    await client.subscriptions.changePlan(id, silent)
    expect(await told(full)).toEqual([0, -900])
    expect((await month()).status).toBe(200)
    expect(await told(full)).toEqual([900, 0])
  })

  it('that is declined leaves the plan, or is owed, as was asked', async () => {
    const client = at.client()
    const one = await withCard(at, '4000 0000 0000 0341')
    const dear = await dearer(at, one.productId)
    const { subscriptionId: id } = one
    const up = {
      product_id: dear.product_id,
      proration_billing_mode: 'full_immediately',
      quantity: 1,
    } as const
    const prevented = { ...up, on_payment_failure: 'prevent_change' } as const
    const { payment_id } = await client.subscriptions.changePlan(id, prevented)
    const failed = await client.payments.retrieve(payment_id ?? '')
    expect(failed).toMatchObject({ status: 'failed', total_amount: 900, subscription_id: id })
    expect(await client.subscriptions.retrieve(id)).toMatchObject({
      product_id: one.productId,
      status: 'active',
    })
    expect(await client.subscriptions.changePlan(id, up)).toMatchObject({
      payment_id: expect.stringMatching(/^pay_/),
    })
    expect(await client.subscriptions.retrieve(id)).toMatchObject({
      product_id: dear.product_id,
      status: 'on_hold',
    })
  })

  it('leaves the usage of both plans at their own terms, and credits that leave until the end', async () => {
    const client = at.client()
    const one = await subscriber(at, { meters: [{ unitsPerCredit: '1' }] })
    const other = await client.creditEntitlements.create({
      name: fresh('other'),
      unit: 'coin',
      precision: 2,
      overage_enabled: false,
      rollover_enabled: false,
    })
    const { price } = await client.products.retrieve(one.productId)
    const next = await client.products.create({
      name: fresh('next'),
      tax_category: 'saas',
      credit_entitlements: [{ credit_entitlement_id: other.id, credits_amount: '10' }],
      price: {
        ...price,
        meters: [
          {
            meter_id: one.meterIds[0] ?? '',
            credit_entitlement_id: other.id,
            meter_units_per_credit: '2',
          },
        ],
      } as DodoPayments.Price,
    })
    await one.use({}, {}, {})
    const position = await one.use({})
    const silently = { ...change(next.product_id), proration_billing_mode: 'do_not_bill' } as const
    const headers = { 'Sluice-After': position }
    await onceMeasured(() =>
      client.subscriptions.changePlan(one.subscriptionId, silently, { headers }),
    )
    const after = await one.use({}, {}, {})
    expect(await one.balance(after)).toEqual({ balance: '96', overage: '0' })
    const held = async () => {
      const { items } = await client.customers.listCreditEntitlements(one.customerId)
      return Object.fromEntries(items.map((item) => [item.credit_entitlement_id, item.balance]))
    }
    // Three units at two a credit; the four before were the first plan's.
    expect(await held()).toEqual({ [one.creditId]: '96', [other.id]: '8.5' })
    const { status, text } = await month()
    expect(status, text).toBe(200)
    expect(await held()).toEqual({ [one.creditId]: '0', [other.id]: '10' })
  })
})
