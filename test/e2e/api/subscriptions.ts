import type DodoPayments from 'dodopayments'
import { beforeAll, describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import type { Subscriber } from '../plan.ts'
import { fresh, subscriber } from '../plan.ts'

let client: DodoPayments
let one: Subscriber
beforeAll(async () => {
  client = at.client()
  one = await subscriber(at)
})

const subscribe = (more: object = {}) =>
  at.call('POST /subscriptions', {
    body: {
      billing: { country: 'DE' },
      customer: { customer_id: one.customerId },
      product_id: one.productId,
      quantity: 1,
      ...more,
    },
  })

describe('subscriptions', () => {
  it('whose first charge is 0 begin at once [subscriptions#cycles]', async () => {
    const made = await subscribe({
      metadata: { order: 7 },
      billing: { country: 'FR', city: 'Lyon' },
    })
    const id = String(made.body['subscription_id'])
    expect([made.status, made.body]).toEqual([
      200,
      {
        addons: [],
        client_secret: null,
        discount_id: null,
        discount_ids: null,
        expires_on: null,
        metadata: { order: 7 },
        one_time_product_cart: null,
        payment_id: expect.stringMatching(/^pay_/),
        payment_link: null,
        recurring_pre_tax_amount: 0,
        subscription_id: expect.stringMatching(/^sub_/),
        customer: {
          customer_id: one.customerId,
          email: 'ada@example.com',
          name: 'Ada',
          metadata: {},
          phone_number: null,
        },
        trial_amount: null,
      },
    ])
    const payment = await client.payments.retrieve(String(made.body['payment_id']))
    expect(payment).toMatchObject({
      status: 'succeeded',
      total_amount: 0,
      subscription_id: id,
      invoice_id: expect.any(String),
    })
    const read = await client.subscriptions.retrieve(id)
    expect(read).toMatchObject({
      status: 'active',
      product_id: one.productId,
      quantity: 1,
      metadata: { order: 7 },
      billing: { country: 'FR', city: 'Lyon', state: null, street: null, zipcode: null },
      payment_frequency_count: 1,
      payment_frequency_interval: 'Month',
      cancelled_at: null,
      trial_period_days: 0,
      paused_at: null,
    })
    expect(read.previous_billing_date >= read.created_at).toBe(true)
    const months = (from: string, count: number) => {
      const date = new Date(from)
      date.setUTCMonth(date.getUTCMonth() + count)
      return date.toISOString().slice(0, 10)
    }
    if (Number(read.created_at.slice(8, 10)) <= 28) {
      expect(read.next_billing_date.slice(0, 10)).toBe(months(read.created_at, 1))
      expect(read.expires_at?.slice(0, 10)).toBe(months(read.created_at, 12))
    }
    expect(read.meter_credit_entitlement_cart).toEqual([
      {
        credit_entitlement_id: one.creditId,
        meter_id: one.meterIds[0],
        meter_name: expect.any(String),
        meter_units_per_credit: '1',
        product_id: one.productId,
      },
    ])
    // A linked meter is one of the subscription's, without a price. [resources#subscriptions,
    // meters#worth]
    expect(read.meters).toEqual([
      {
        meter_id: one.meterIds[0],
        name: expect.any(String),
        currency: 'USD',
        description: null,
        free_threshold: 0,
        measurement_unit: expect.any(String),
        price_per_unit: null,
      },
    ])
  })

  it('of somebody new make a customer, and find the newest of an e-mail', async () => {
    const email = `${fresh('new').replaceAll(' ', '-')}@example.com`
    const first = await subscribe({ customer: { email, name: 'New' } })
    const { customer } = first.body as unknown as { customer: DodoPayments.CustomerLimitedDetails }
    expect(customer).toMatchObject({ email, name: 'New' })
    const again = await subscribe({ customer: { email } })
    expect(again.body['customer']).toMatchObject({ customer_id: customer.customer_id })
  })

  it('are refused with what cannot be', async () => {
    const paid = await client.products.create({
      name: 'paid',
      tax_category: 'saas',
      price: {
        type: 'recurring_price',
        currency: 'USD',
        discount: 0,
        price: 900,
        purchasing_power_parity: false,
        payment_frequency_count: 1,
        payment_frequency_interval: 'Month',
        subscription_period_count: 1,
        subscription_period_interval: 'Year',
      },
    })
    const cases: [object, number, string][] = [
      [{ product_id: 'pdt_nobody' }, 404, 'NOT_FOUND'],
      [{ customer: { customer_id: 'cus_nobody' } }, 404, 'NOT_FOUND'],
      [{ customer: {} }, 422, 'INVALID_REQUEST_BODY'],
      [{ customer: { email: 'nobody' } }, 422, 'INVALID_REQUEST_BODY'],
      [{ billing: {} }, 422, 'INVALID_REQUEST_BODY'],
      [{ billing: { country: 'XX' } }, 422, 'INVALID_REQUEST_BODY'],
      [{ quantity: 0 }, 422, 'INVALID_REQUEST_BODY'],
      [{ quantity: 2 }, 422, 'INVALID_QUANTITY'],
      [{ trial_period_days: 10_001 }, 422, 'INVALID_REQUEST_BODY'],
      [{ discount_code: 'NONE' }, 422, 'INVALID_DISCOUNT_CODE'],
    ]
    for (const [wrong, status, code] of cases) {
      const answer = await subscribe(wrong)
      expect([answer.status, answer.body.code], JSON.stringify(wrong) + answer.text).toEqual([
        status,
        code,
      ])
    }
    const trial = await subscribe({ product_id: paid.product_id, trial_period_days: 14 })
    expect(trial.status, trial.text).toBe(200)
    expect(
      await client.subscriptions.retrieve(String(trial.body['subscription_id'])),
    ).toMatchObject({
      status: 'active',
      trial_period_days: 14,
      recurring_pre_tax_amount: 900,
    })
  })

  it('are listed by whom, what and when', async () => {
    const other = await subscriber(at)
    const list = async (query: DodoPayments.SubscriptionListParams) =>
      (await client.subscriptions.list(query)).items
    const [listed] = await list({ customer_id: other.customerId })
    const whole = await client.subscriptions.retrieve(other.subscriptionId)
    expect(listed).toEqual({
      ...Object.fromEntries(
        Object.entries(whole).filter(
          ([name]) =>
            ![
              ...[
                'addons',
                'cancellation_comment',
                'cancellation_feedback',
                'credit_entitlement_cart',
              ],
              ...[
                'custom_field_responses',
                'expires_at',
                'meter_credit_entitlement_cart',
                'meters',
              ],
            ].includes(name),
        ),
      ),
      discounts: [],
      product_name: expect.stringContaining('plan'),
    })
    const at_ = { created_at_gte: whole.created_at, created_at_lte: whole.created_at }
    for (const query of [
      { product_id: other.productId },
      { status: 'active', ...at_ },
      { customer_id: other.customerId, brand_id: at.businessId },
      { customer_id: other.customerId, cancel_at_next_billing_date: false },
    ] as const) {
      expect(
        (await list(query)).map((each) => each.subscription_id),
        JSON.stringify(query),
      ).toEqual([other.subscriptionId])
    }
    for (const query of [
      { status: 'cancelled' },
      { customer_id: 'cus_nobody' },
      { brand_id: 'brnd_x' },
      { cancel_at_next_billing_date: true },
      { created_at_gte: '2100-01-01T00:00:00Z' },
    ] as const) {
      expect(await list(query), JSON.stringify(query)).toEqual([])
    }
  })
})
