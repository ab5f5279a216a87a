import type DodoPayments from 'dodopayments'
import { describe, expect, it } from 'vitest'
import { at } from './here.ts'
import { onceMeasured } from './once-measured.ts'
import { fresh, ingest, subscriber } from './plan.ts'

const advance = (by: string) =>
  onceMeasured(() => at.call('POST /clock/advance', { body: { by } })).then(
    ({ body }) => body['now'],
  )

const recurring = {
  type: 'recurring_price',
  currency: 'USD',
  price: 0,
  discount: 0,
  purchasing_power_parity: false,
  trial_period_days: 0,
  payment_frequency_count: 1,
  payment_frequency_interval: 'Month',
  subscription_period_count: 45,
  subscription_period_interval: 'Day',
} as const

async function credit(rest: object = {}): Promise<string> {
  const body = {
    name: fresh('credits'),
    unit: 'x',
    precision: 2,
    overage_enabled: false,
    rollover_enabled: true,
    ...rest,
  }
  const made = await at.call('POST /credit-entitlements', { body })
  expect(made.status, made.text).toBe(201)
  return String(made.body['id'])
}

const productBody = (ids: readonly string[], price: object = {}) => ({
  name: fresh('plan'),
  tax_category: 'saas',
  price: { ...recurring, ...price },
  credit_entitlements: ids.map((id) => ({ credit_entitlement_id: id, credits_amount: '10' })),
})

async function product(ids: readonly string[], price: object = {}): Promise<string> {
  const made = await at.call('POST /products', { body: productBody(ids, price) })
  expect(made.status, made.text).toBe(200)
  return String(made.body['product_id'])
}

const subscribe = (customerId: string, productId: string, rest: object = {}) =>
  at.call('POST /subscriptions', {
    body: {
      billing: { country: 'DE' },
      customer: { customer_id: customerId },
      product_id: productId,
      quantity: 1,
      ...rest,
    },
  })

const customer = async (): Promise<string> =>
  (await at.client().customers.create({ email: 'end@example.com', name: 'End' })).customer_id

describe('the period of a subscription [subscriptions#endings]', () => {
  it('ends it in the middle of a cycle, whose credits last until that would have ended', async () => {
    const client = at.client()
    const [customerId, creditId] = [await customer(), await credit()]
    const made = await subscribe(customerId, await product([creditId]))
    const id = String(made.body['subscription_id'])
    const kinds = async () => {
      const path = { credit_entitlement_id: creditId }
      const { items } = await client.creditEntitlements.balances.listLedger(customerId, path)
      return items.toReversed().map((each) => `${each.transaction_type} ${each.amount}`)
    }
    await advance('P44D')
    expect((await client.subscriptions.retrieve(id)).status).toBe('active')
    const before = await kinds()
    expect(before).toEqual(['credit_added 10', 'credit_rolled_over 10', 'credit_added 10'])
    await advance('P2D')
    const over = await client.subscriptions.retrieve(id)
    expect(over.status).toBe('expired')
    expect(await kinds()).toEqual(before)
    const balances = { credit_entitlement_id: creditId }
    const { balance } = await client.creditEntitlements.balances.retrieve(customerId, balances)
    expect(balance).toBe('20')
    await advance('P20D')
    expect((await kinds()).slice(3)).toEqual(['credit_expired 10', 'credit_expired 10'])
    const explained = await at.call(
      `GET /credit-ledger-entries/${await newest(creditId, customerId)}/explanation`,
    )
    expect(['last_cycle_end', 'expiry']).toContain(
      (explained.body['rule'] as { readonly name: string }).name,
    )
  })

  it('refuses a billing date beyond it, and a trial that is longer, naming the field', async () => {
    const [customerId, creditId] = [await customer(), await credit()]
    const productId = await product([creditId])
    const trial = await subscribe(customerId, productId, { trial_period_days: 46 })
    expect([trial.status, trial.body.code]).toEqual([422, 'INVALID_REQUEST_BODY'])
    expect(trial.body.message).toMatch(/^trial_period_days must not be longer than/)
    const long = productBody([creditId], { trial_period_days: 46 })
    const refused = await at.call('POST /products', { body: long })
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_REQUEST_BODY'])
    expect(refused.body.message).toMatch(/^price\.trial_period_days must not be longer than/)

    const made = await subscribe(customerId, productId)
    const path = `/subscriptions/${String(made.body['subscription_id'])}` as const
    const { body } = await at.call(`GET ${path}`)
    const expires = Date.parse(String(body['expires_at']))
    const patch = (ms: number, rest: object = {}) =>
      at.call(`PATCH ${path}`, {
        body: { next_billing_date: new Date(ms).toISOString(), ...rest },
      })
    const beyond = await patch(expires + 86_400_000)
    expect([beyond.status, beyond.body.code]).toEqual([422, 'INVALID_REQUEST_BODY'])
    expect(beyond.body.message).toMatch(/^next_billing_date must not be later than 20/)
    const longer = { subscription_period_count: 50, subscription_period_interval: 'Day' }
    expect((await patch(expires + 86_400_000, longer)).status).toBe(200)
  })
})

it('a cancellation bills the overage that its cycle left, and says why [credits#overage]', async () => {
  const entitlement = {
    ...({ overage_enabled: true, overage_behavior: 'invoice_at_billing' } as const),
    ...({ price_per_unit: '5', currency: 'USD' } as const),
  }
  const one = await subscriber(at, { entitlement })
  const position = await one.use(...Array.from({ length: 105 }, () => ({})))
  expect(await one.balance(position)).toEqual({ balance: '0', overage: '5' })
  await at.client().subscriptions.update(one.subscriptionId, { status: 'cancelled' })
  expect(await one.balance()).toEqual({ balance: '0', overage: '0' })
  const [reset, charged] = await one.ledger()
  expect([charged, reset]).toMatchObject([
    { transaction_type: 'overage_charged', amount: '5', overage_before: '5', overage_after: '5' },
    { transaction_type: 'overage_reset', amount: '5', overage_after: '0' },
  ])
  const { body } = await at.call(`GET /credit-ledger-entries/${charged?.id ?? ''}/explanation`)
  expect(body).toMatchObject({
    rule: { name: 'overage_charged', manual: ['credits#overage'] },
    inputs: { ended_by: 'cancellation', subscription_id: one.subscriptionId, overage: '5' },
  })
})

describe('a deleted credit entitlement [credits#deleted-entitlements]', () => {
  it('takes no new attachment, and what lives goes on', async () => {
    const client = at.client()
    const [customerId, gone, other] = [await customer(), await credit(), await credit()]
    const [first, second, bare] = [
      await product([gone]),
      await product([gone]),
      await product([other]),
    ]
    const living = String((await subscribe(customerId, first)).body['subscription_id'])
    const without = String((await subscribe(customerId, bare)).body['subscription_id'])
    expect((await at.call(`DELETE /credit-entitlements/${gone}`)).status).toBe(204)

    const refusals = [
      await at.call('POST /products', { body: productBody([gone]) }),
      await subscribe(customerId, first),
      ...(await Promise.all(changes(without, second).map((change) => change()))),
    ]
    for (const { status, body } of refusals) {
      expect([status, body.code]).toEqual([410, 'CREDIT_ENTITLEMENT_IS_DELETED'])
      expect(body.message).toContain(gone)
    }
    // The subscription has the credits already, so the change brings nothing in.
    const [atOnce] = changes(living, second)
    expect((await atOnce?.())?.status).toBe(200)
    await advance('P32D')
    expect((await client.subscriptions.retrieve(living)).status).toBe('active')
    expect((await at.call(`POST /credit-entitlements/${gone}/undelete`)).status).toBe(204)
    const { items } = await client.creditEntitlements.balances.listLedger(customerId, {
      credit_entitlement_id: gone,
    })
    expect(items.filter((each) => each.transaction_type === 'credit_added').length).toBe(3)
    expect((await subscribe(customerId, first)).status).toBe(200)
  })

  it('measures nothing by links of its own, and again when it is back', async () => {
    const client = at.client()
    const [customerId, eventName] = [await customer(), fresh('linked')]
    const { id: meterId } = await client.meters.create({
      name: fresh('m'),
      event_name: eventName,
      measurement_unit: 'x',
      aggregation: { type: 'count' },
    } satisfies DodoPayments.MeterCreateParams)
    const links = { meter_links: [{ meter_id: meterId, meter_units_per_credit: '1' }] }
    const linked = await credit(links)
    const balances = `/credit-entitlements/${linked}/balances/${customerId}` as const
    const gift = { amount: '10', entry_type: 'credit' }
    await at.call(`POST ${balances}/ledger-entries`, { body: gift })
    const use = async () => {
      const position = await ingest(at, [{ customer_id: customerId, event_name: eventName }])
      const read = { headers: { 'Sluice-After': position } }
      return (await onceMeasured(() => at.call(`GET ${balances}`, read))).body['balance']
    }
    expect(await use()).toBe('9')
    expect((await at.call(`DELETE /credit-entitlements/${linked}`)).status).toBe(204)
    expect(await use()).toBeUndefined()
    expect((await at.call(`POST /credit-entitlements/${linked}/undelete`)).status).toBe(204)
    expect(await use()).toBe('8')
  })
})

/** At once, later, and previewed. */
const changes = (subscriptionId: string, productId: string) => {
  const path = `POST /subscriptions/${subscriptionId}/change-plan` as const
  const body = { product_id: productId, quantity: 1, proration_billing_mode: 'full_immediately' }
  return [
    () => at.call(path, { body }),
    () => at.call(path, { body: { ...body, effective_at: 'next_billing_date' } }),
    () => at.call(`${path}/preview`, { body }),
  ]
}

async function newest(creditId: string, customerId: string): Promise<string> {
  const path = { credit_entitlement_id: creditId }
  const { items } = await at.client().creditEntitlements.balances.listLedger(customerId, path)
  return items[0]?.id ?? ''
}
