import { answer, openReceiver } from '../../support/webhooks/receiver.ts'
import { onceMeasured } from '../once-measured.ts'
import type { Plan, Subscriber } from '../plan.ts'
import { fresh, ingest, subscriber } from '../plan.ts'
import type { Installation } from './installation.ts'

/** So long that nothing falls due while later versions open the installation. */
const forLong: NonNullable<Plan['price']> = {
  payment_frequency_count: 100,
  payment_frequency_interval: 'Year',
  subscription_period_count: 1_000,
  subscription_period_interval: 'Year',
}
const monthly: typeof forLong = {
  ...forLong,
  payment_frequency_count: 1,
  payment_frequency_interval: 'Month',
}

/**
 * Fills a new installation with data of every kind. Calling what it answers ends its webhook
 * receivers.
 */
export async function tellStory(at: Installation): Promise<() => Promise<void>> {
  const receiver = await openReceiver()
  const deaf = await openReceiver(answer(500))
  const giveUp = await openEndpoints(at, receiver.url, deaf.url)
  await kindsOfMeters(at)
  await creditsByHand(at)
  await cyclesOfAMonth(at)
  await waysToSubscribe(at)
  await withoutSubscription(at)
  await deaf.until(1)
  await giveUp()
  return async () => {
    await Promise.all([receiver.close(), deaf.close()])
  }
}

/** One endpoint that answers, and one that fails until it is given up. */
async function openEndpoints(at: Installation, url: string, deafUrl: string) {
  const { webhooks } = at.client()
  const headers = { 'X-Tier': 'gold' }
  await webhooks.create({ url, description: 'hears', headers, metadata: { team: 'a' } })
  const deaf = await webhooks.create({ url: deafUrl, filter_types: ['credit.added'] })
  const gone = await webhooks.create({ url, rate_limit: 5 })
  await webhooks.delete(gone.id)
  return () => webhooks.update(deaf.id, { disabled: true })
}

/**
 * Usage of each aggregation, a filter, repeats, an id without a meter, voids, an archived meter.
 */
async function kindsOfMeters(at: Installation): Promise<void> {
  const plan: Plan = {
    meters: [
      { aggregation: { type: 'sum', key: 'n' }, unitsPerCredit: '10', freeThreshold: 5 },
      { aggregation: { type: 'max', key: 'n' } },
      { aggregation: { type: 'last', key: 'n' } },
      {
        filter: {
          conjunction: 'and',
          clauses: [{ key: 'region', operator: 'equals', value: 'eu' }],
        },
      },
    ],
  }
  const one = await subscriber(at, lasting(plan))
  const [sum = '', max = '', last = '', count = ''] = one.eventNames
  const again = { event_id: fresh('again'), event_name: sum, metadata: { n: 40 } }
  await one.use(again, { ...again, event_id: fresh('other'), metadata: { n: '2.5' } })
  await one.balance(await one.use(again))
  const voided = [sum, max, last].map((name) => ({
    event_id: fresh('voided'),
    event_name: name,
    metadata: { n: 70 },
  }))
  await one.use(
    ...[max, last].flatMap((name) => [3, 9, 4].map((n) => ({ event_name: name, metadata: { n } }))),
    ...['eu', 'us', 'eu'].map((region) => ({ event_name: count, metadata: { region } })),
    { event_name: 'nothing measures it' },
  )
  await one.balance(await one.use(...voided))
  for (const { event_id } of voided) {
    await at.ask(`POST /events/${encodeURIComponent(event_id)}/void`, { reason: 'test traffic' })
  }
  const archived = await subscriber(at, lasting({}))
  await archived.balance(await archived.use({}))
  await at.client().meters.archive(archived.meterIds[0] ?? '')
}

/** Grants with an expiry, debits, an adjustment that is asked for twice, an expired grant. */
async function creditsByHand(at: Installation): Promise<void> {
  const one = await subscriber(at, lasting({ entitlement: { precision: 3 } }))
  const adjust = (amount: string, rest: object) =>
    at.ask(`POST /credit-entitlements/${one.creditId}/balances/${one.customerId}/ledger-entries`, {
      amount,
      entry_type: 'credit',
      ...rest,
    })
  await adjust('12.345', { reason: 'sorry', idempotency_key: 'gift', metadata: { by: 'ada' } })
  await adjust('7', { expires_at: new Date(Date.now() + 86_400_000).toISOString() })
  await adjust('9', { expires_at: '2999-01-01T00:00:00Z' })
  await adjust('100.5', { entry_type: 'debit', reason: 'correction' })
  const credit = await at.client().creditEntitlements.create({
    name: fresh('deleted'),
    unit: 'x',
    precision: 0,
    overage_enabled: false,
    rollover_enabled: false,
  })
  await at.client().creditEntitlements.delete(credit.id)
}

/** Rollover, overage, a plan change at once and one at the cycle's end, a pause and an end. */
async function cyclesOfAMonth(at: Installation): Promise<void> {
  const { subscriptions } = at.client()
  const rolls = { rollover_enabled: true, rollover_percentage: 50, max_rollover_count: 1 }
  const owes = {
    overage_enabled: true,
    overage_limit: 20,
    price_per_unit: '5',
    currency: 'USD',
  } as const
  const entitlement = { ...rolls, ...owes, low_balance_threshold: '30' } as const
  const [one, other] = [
    await subscriber(at, { entitlement, price: monthly }),
    await subscriber(at, {
      entitlement: { ...entitlement, overage_behavior: 'invoice_at_billing' },
      price: monthly,
    }),
  ]
  await use(one, 40)
  await use(other, 115)
  await advance(at, 'P32D')
  await use(one, 130)
  const larger = await product(at, { ...one, price: monthly, amount: '300' })
  const change = {
    product_id: larger,
    quantity: 1,
    proration_billing_mode: 'full_immediately',
  } as const
  await subscriptions.changePlan(one.subscriptionId, change)
  await use(one, 30)
  await advance(at, 'P40D')
  const back = { ...change, product_id: one.productId }
  await subscriptions.changePlan(one.subscriptionId, { ...back, effective_at: 'next_billing_date' })
  await subscriptions.update(other.subscriptionId, { status: 'paused' })
  await advance(at, 'P35D')
  await use(one, 5)
  await subscriptions.update(one.subscriptionId, {
    cancel_at_next_billing_date: true,
    cancellation_feedback: 'too_expensive',
  })
  await advance(at, 'P70D')
}

/** Trials, terms of one's own, a change that waits, one cancelled at once. */
async function waysToSubscribe(at: Installation): Promise<void> {
  const { subscriptions, customers } = at.client()
  const trial = { trial_credits: '15', trial_credits_expire_after_trial: true }
  const one = await subscriber(at, lasting({ mapping: trial }))
  const subscribe = (rest: object) =>
    at.ask('POST /subscriptions', {
      billing: { country: 'DE', city: 'Berlin' },
      product_id: one.productId,
      quantity: 1,
      ...rest,
    })
  const customer = await customers.create({
    email: 'grace@example.com',
    name: 'Grace',
    phone_number: '+44',
    metadata: { tier: 'a' },
  })
  const { customer_id } = customer
  await subscribe({ customer: { customer_id }, trial_period_days: 10_000, metadata: { seat: 'b' } })
  const own = await subscriber(at, lasting({}))
  await subscriptions.update(own.subscriptionId, {
    credit_entitlement_cart: [
      { credit_entitlement_id: own.creditId, credits_amount: '200', overage_limit: '5' },
    ],
  })
  const waiting = await subscriber(at, lasting({}))
  await subscriptions.changePlan(waiting.subscriptionId, {
    product_id: await product(at, { ...waiting, price: forLong, amount: '300' }),
    quantity: 1,
    proration_billing_mode: 'full_immediately',
    effective_at: 'next_billing_date',
  })
  const left = await subscriber(at, lasting({}))
  await use(left, 3)
  await subscriptions.update(left.subscriptionId, { status: 'cancelled' })
}

/** Usage by default links, whose account has cycles of its own. */
async function withoutSubscription(at: Installation): Promise<void> {
  const client = at.client()
  const name = fresh('linked')
  const meter = await client.meters.create({
    name,
    event_name: name,
    measurement_unit: 'call',
    aggregation: { type: 'count' },
  })
  const credit = await at.ask('POST /credit-entitlements', {
    name,
    unit: 'call',
    precision: 0,
    expires_after_days: 9_000,
    overage_enabled: true,
    overage_behavior: 'carry_deficit',
    rollover_enabled: false,
    price_per_unit: '0.5',
    currency: 'EUR',
    meter_links: [{ meter_id: meter.id, meter_units_per_credit: '2', free_threshold: 1 }],
  })
  const { customer_id } = await client.customers.create({ email: 'joan@example.com', name: 'Joan' })
  const path = `/credit-entitlements/${credit['id']}/balances/${customer_id}` as const
  await at.ask(`POST ${path}/ledger-entries`, { amount: '3', entry_type: 'credit' })
  await ingest(
    at,
    Array.from({ length: 12 }, () => ({ customer_id, event_name: name })),
  )
}

const lasting = (plan: Plan): Plan => ({ ...plan, price: forLong })

async function use(one: Subscriber, events: number): Promise<void> {
  await one.balance(await one.use(...Array.from({ length: events }, () => ({}))))
}

const advance = (at: Installation, by: string) =>
  onceMeasured(() => at.ask('POST /clock/advance', { by }))

interface Larger {
  readonly creditId: string
  readonly meterIds: readonly string[]
  readonly price: Plan['price']
  readonly amount: string
}

async function product(at: Installation, larger: Larger): Promise<string> {
  const { creditId, meterIds, price, amount } = larger
  const credit = { credit_entitlement_id: creditId }
  const made = await at.ask('POST /products', {
    name: fresh('larger'),
    description: 'more of it',
    tax_category: 'saas',
    credit_entitlements: [{ ...credit, credits_amount: amount }],
    price: {
      type: 'usage_based_price',
      currency: 'USD',
      discount: 0,
      fixed_price: 900,
      ...price,
      meters: meterIds.map((meter_id) => ({ ...credit, meter_id, meter_units_per_credit: '1' })),
    },
  })
  return String(made['product_id'])
}
