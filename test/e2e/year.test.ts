import type DodoPayments from 'dodopayments'
import { expect, it } from 'vitest'
import { at } from './here.ts'
import { onceMeasured } from './once-measured.ts'
import { fresh, ingest } from './plan.ts'
import { shopper } from './shopper.ts'

/**
 * The whole ledger of a monthly subscription through a year, line by line: rollover at 50 % and
 * once, overage up to 20 billed at renewal, plan changes at once and at the cycle's end, a pause,
 * changed terms, and an end. What each line says is counted by hand from the contract.
 */
it('a year of a subscription, in seconds', { timeout: 300_000 }, async () => {
  const client = at.client()
  const one = await subscribed(client)
  const { subscriptionId: id } = one

  // First cycle: 60 of 100 used.
  await one.use('60')
  await one.renewal()
  expect(await one.news()).toEqual([
    'credit_added +100: 0 → 100, 0 → 0',
    'credit_deducted -60: 100 → 40, 0 → 0',
    'credit_rolled_over +20: 40 → 40, 0 → 0',
    'credit_expired -20: 40 → 20, 0 → 0',
    'credit_added +100: 20 → 120, 0 → 0',
  ])

  // Second: 150 used of 120, overage up to its limit of 20, the other 10 dropped.
  await one.use('150')
  await one.renewal()
  expect(await one.news()).toEqual([
    'credit_deducted -20: 120 → 100, 0 → 0',
    'credit_deducted -100: 100 → 0, 0 → 0',
    'credit_deducted -20: 0 → 0, 0 → 20',
    'overage_charged -20: 0 → 0, 20 → 20',
    'overage_reset +20: 0 → 0, 20 → 0',
    'credit_added +100: 0 → 100, 0 → 0',
  ])

  // Third: the larger plan in the middle, which ends the cycle there and begins a whole one. What
  // rolled over is used first.
  await one.use('30')
  await one.advance('P10D')
  const preview = await client.subscriptions.previewChangePlan(id, one.toLarge)
  expect(preview.immediate_charge.summary).toMatchObject({ total_amount: 900, currency: 'USD' })
  expect(preview.new_plan).toMatchObject({ product_id: one.large, quantity: 1 })
  expect((await client.subscriptions.retrieve(id)).product_id).toBe(one.small)
  expect(await client.subscriptions.changePlan(id, one.toLarge)).toEqual({
    client_secret: null,
    expires_on: null,
    payment_id: null,
    payment_link: null,
  })
  await one.use('100')
  await one.renewal()
  expect(await one.news()).toEqual([
    'credit_deducted -30: 100 → 70, 0 → 0',
    'credit_rolled_over +35: 70 → 70, 0 → 0',
    'credit_expired -35: 70 → 35, 0 → 0',
    'credit_added +300: 35 → 335, 0 → 0',
    'credit_deducted -35: 335 → 300, 0 → 0',
    'credit_deducted -65: 300 → 235, 0 → 0',
    'credit_rolled_over +117.5: 235 → 235, 0 → 0',
    'credit_expired -117.5: 235 → 117.5, 0 → 0',
    'credit_added +300: 117.5 → 417.5, 0 → 0',
  ])

  // Fourth: back to the small plan when the cycle ends. What rolled over once is forfeited.
  const later = {
    ...one.toLarge,
    product_id: one.small,
    effective_at: 'next_billing_date',
  } as const
  await client.subscriptions.changePlan(id, later)
  const waiting = await client.subscriptions.retrieve(id)
  expect(waiting.scheduled_change).toMatchObject({
    product_id: one.small,
    effective_at: waiting.next_billing_date,
  })
  await expect(client.subscriptions.changePlan(id, later)).rejects.toMatchObject({ status: 409 })
  await client.subscriptions.cancelChangePlan(id)
  await expect(client.subscriptions.cancelChangePlan(id)).rejects.toMatchObject({ status: 404 })
  await client.subscriptions.changePlan(id, later)
  await one.renewal()
  expect(await client.subscriptions.retrieve(id)).toMatchObject({
    product_id: one.small,
    scheduled_change: null,
    recurring_pre_tax_amount: 0,
  })
  expect(await one.news()).toEqual([
    'rollover_forfeited -117.5: 417.5 → 300, 0 → 0',
    'credit_rolled_over +150: 300 → 300, 0 → 0',
    'credit_expired -150: 300 → 150, 0 → 0',
    'credit_added +100: 150 → 250, 0 → 0',
  ])

  // Fifth: 40 days of pause, in which usage counts nothing and no date passes.
  const before = await client.subscriptions.retrieve(id)
  const paused = await client.subscriptions.update(id, { status: 'paused' })
  expect(paused).toMatchObject({ status: 'paused', next_billing_date: before.next_billing_date })
  await one.advance('P40D')
  await one.use('40')
  const resumed = await client.subscriptions.update(id, { status: 'active' })
  expect(resumed).toMatchObject({ status: 'active', paused_at: null })
  const shift = Date.parse(resumed.next_billing_date) - Date.parse(before.next_billing_date)
  expect(Math.round(shift / 86_400_000)).toBe(40)
  await one.use('10')
  await one.renewal()
  expect(await one.news()).toEqual([
    'credit_deducted -10: 250 → 240, 0 → 0',
    'rollover_forfeited -140: 240 → 100, 0 → 0',
    'credit_rolled_over +50: 100 → 100, 0 → 0',
    'credit_expired -50: 100 → 50, 0 → 0',
    'credit_added +100: 50 → 150, 0 → 0',
  ])

  // Sixth: other terms for this subscription. The limit acts at once, the amount from the next
  // grant.
  await client.subscriptions.update(id, {
    credit_entitlement_cart: [
      { credit_entitlement_id: one.creditId, credits_amount: '200', overage_limit: '5' },
    ],
  })
  await one.use('160')
  await one.renewal()
  expect(await one.news()).toEqual([
    'credit_deducted -50: 150 → 100, 0 → 0',
    'credit_deducted -100: 100 → 0, 0 → 0',
    'credit_deducted -5: 0 → 0, 0 → 5',
    'overage_charged -5: 0 → 0, 5 → 5',
    'overage_reset +5: 0 → 0, 5 → 0',
    'credit_added +200: 0 → 200, 0 → 0',
  ])

  // Seventh: it ends with its cycle. What rolled over lives to its own end, and nothing is granted.
  await client.subscriptions.update(id, {
    cancel_at_next_billing_date: true,
    cancellation_feedback: 'too_expensive',
  })
  await one.renewal()
  expect(await client.subscriptions.retrieve(id)).toMatchObject({
    status: 'cancelled',
    cancellation_feedback: 'too_expensive',
    cancelled_at: expect.any(String),
  })
  await one.advance('P70D')
  expect(await one.news()).toEqual([
    'credit_rolled_over +100: 200 → 200, 0 → 0',
    'credit_expired -100: 200 → 100, 0 → 0',
    'credit_expired -100: 100 → 0, 0 → 0',
  ])

  const history = await client.subscriptions.retrieveUsageHistory(id, { page_size: 20 })
  const consumed = history.items.map(({ meters }) => meters.map((meter) => meter.consumed_units))
  expect(consumed).toEqual([['0'], ['160'], ['10'], ['0'], ['100'], ['30'], ['150'], ['60']])
  const credits = await client.customers.listCreditEntitlements(one.customerId)
  expect(credits.items).toMatchObject([
    { credit_entitlement_id: one.creditId, balance: '0', overage: '0' },
  ])
  expect(await at.sluice('verify', '--business', at.businessId)).toBeTruthy()
})

/** A customer on the small one of two plans that share an entitlement and a meter. */
async function subscribed(client: DodoPayments) {
  const eventName = fresh('used')
  const meter = await client.meters.create({
    name: fresh('tokens'),
    event_name: eventName,
    measurement_unit: 'token',
    aggregation: { type: 'sum', key: 'n' },
  })
  const credit = await client.creditEntitlements.create({
    name: fresh('credits'),
    unit: 'credit',
    precision: 2,
    rollover_enabled: true,
    rollover_percentage: 50,
    max_rollover_count: 1,
    overage_enabled: true,
    overage_limit: 20,
    overage_behavior: 'invoice_at_billing',
    price_per_unit: '5',
    currency: 'USD',
  })
  const product = async (credits: string, price: number): Promise<string> => {
    const made = await client.products.create({
      name: fresh('plan'),
      tax_category: 'saas',
      credit_entitlements: [{ credit_entitlement_id: credit.id, credits_amount: credits }],
      price: {
        type: 'usage_based_price',
        currency: 'USD',
        discount: 0,
        fixed_price: price,
        payment_frequency_count: 1,
        payment_frequency_interval: 'Month',
        subscription_period_count: 10,
        subscription_period_interval: 'Year',
        meters: [
          {
            meter_id: meter.id,
            credit_entitlement_id: credit.id,
            meter_units_per_credit: '1',
          },
        ],
      },
    })
    return made.product_id
  }
  const [small, large] = [await product('100', 0), await product('300', 900)]
  const customer = await client.customers.create({ email: 'year@example.com', name: 'Year' })
  const customerId = customer.customer_id
  // By checkout, which saves a card: renewals of the larger plan and overage are charged to it.
  const session = await client.checkoutSessions.create({
    product_cart: [{ product_id: small, quantity: 1 }],
    customer: { customer_id: customerId },
    return_url: 'https://shop.example/',
  })
  const paid = await shopper(at).pay(session.session_id, '4242 4242 4242 4242')
  const subscriptionId = new URL(paid.location ?? '').searchParams.get('subscription_id') ?? ''
  let seen = 0
  const advance = async (by: string): Promise<string> => {
    const answer = await onceMeasured(() => at.call('POST /clock/advance', { body: { by } }))
    expect(answer.status, answer.text).toBe(200)
    return String(answer.body['now'])
  }
  const entries = async (headers: Readonly<Record<string, string>> = {}) => {
    const path = { credit_entitlement_id: credit.id, page_size: 100 }
    const { balances } = client.creditEntitlements
    const ask = async () => balances.listLedger(customerId, path, { headers })
    return (await onceMeasured(ask)).items
  }
  return {
    customerId,
    subscriptionId,
    small,
    large,
    creditId: credit.id,
    advance,
    toLarge: {
      product_id: large,
      quantity: 1,
      proration_billing_mode: 'full_immediately' as const,
    },
    /** Settled when it returns, in one go: so are its entries. */
    async use(n: string): Promise<void> {
      const event = { customer_id: customerId, event_name: eventName, metadata: { n } }
      await entries({ 'Sluice-After': await ingest(at, [event]) })
    },
    /** To a minute after the open cycle's end. */
    async renewal(): Promise<void> {
      const { next_billing_date: end } = await client.subscriptions.retrieve(subscriptionId)
      const left = Date.parse(end) - Date.parse(await advance('PT1S'))
      await advance(`PT${Math.ceil(left / 1_000) + 60}S`)
    },
    /** What the ledger has got since it was asked last, oldest first. */
    async news(): Promise<readonly string[]> {
      const all = (await entries()).toReversed()
      const lines = all.slice(seen).map(lineOf)
      seen = all.length
      return lines
    },
  }
}

const lineOf = (entry: DodoPayments.CreditEntitlements.CreditLedgerEntry): string =>
  `${entry.transaction_type} ${entry.is_credit ? '+' : '-'}${entry.amount}: ${entry.balance_before} → ${entry.balance_after}, ${entry.overage_before} → ${entry.overage_after}`
