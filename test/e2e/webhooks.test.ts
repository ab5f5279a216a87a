import { setTimeout as sleep } from 'node:timers/promises'
import type DodoPayments from 'dodopayments'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import type { Receiver, Respond } from '../support/webhooks/receiver.ts'
import { answer, openReceiver } from '../support/webhooks/receiver.ts'
import { describedWorld } from './described-world.ts'
import { fresh, ingest, subscriber } from './plan.ts'

const at = describedWorld()

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Told {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly businessId: string
  readonly data: Readonly<Record<string, unknown>>
}

interface Envelope {
  readonly business_id: string
  readonly type: string
  readonly timestamp: string
  readonly data: Told['data']
}

interface Endpoint {
  readonly receiver: Receiver
  readonly id: string
  readonly secret: string
  /** Everything told so far, verified in the two ways that a business would use. */
  told(): readonly Told[]
  /** Waits until so many facts of one credit entitlement have been told. */
  facts(creditId: string, count: number): Promise<readonly Told[]>
}

async function endpoint(
  respond?: Respond,
  more: Partial<DodoPayments.WebhookCreateParams> = {},
): Promise<Endpoint> {
  const receiver = await openReceiver(respond)
  const client = at.client()
  const { id } = await client.webhooks.create({ url: receiver.url, ...more })
  const { secret } = await client.webhooks.retrieveSecret(id)
  closing.push(receiver.close, () => at.client().webhooks.delete(id))
  const told = () =>
    receiver.received.map(({ body, headers }) => {
      const flat = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
          name,
          String(headers[name]),
        ]),
      )
      const verified = new Webhook(secret).verify(body, flat) as Envelope
      const unwrapped = client.webhooks.unwrap(body, { headers: flat, key: secret })
      expect(unwrapped).toEqual(verified)
      expect(headers['content-type']).toBe('application/json')
      const { type, timestamp, business_id: businessId, data, ...rest } = verified
      expect(rest).toEqual({})
      return { id: flat['webhook-id'] ?? '', type, timestamp, businessId, data }
    })
  return { receiver, id, secret, told, facts }

  async function facts(creditId: string, count: number): Promise<readonly Told[]> {
    for (let seen = 0; ; seen = receiver.received.length) {
      const found = told().filter(({ data }) => data['credit_entitlement_id'] === creditId)
      if (found.length >= count) return found
      await receiver.until(seen + 1)
    }
  }
}

const typesOf = (facts: readonly Told[]) => facts.map(({ type }) => type).sort()
const only = (facts: readonly Told[], type: string) => {
  const found = facts.filter((fact) => fact.type === type)
  expect(found).toHaveLength(1)
  const [fact] = found
  if (fact === undefined) throw new Error('unreachable')
  return fact
}

describe('webhooks', () => {
  it('tell what was added, deducted and adjusted, and a low balance, each under one id', async () => {
    const hook = await endpoint()
    const one = await subscriber(at, {
      meters: [{ aggregation: { type: 'sum', key: 'n' } }],
      mapping: { low_balance_threshold_percent: 20 },
    })
    const added = only(await hook.facts(one.creditId, 1), 'credit.added')
    const [entry] = await one.ledger()
    expect(added.businessId).toBe(at.businessId)
    expect(added.data).toEqual({ ...entry, payload_type: 'CreditLedgerEntry' })
    expect(added.timestamp).toBe(entry?.created_at)

    await one.ledger(await one.spend({ n: 75 }))
    const spent = await hook.facts(one.creditId, 2)
    expect(only(spent, 'credit.deducted').data).toEqual({
      ...(await one.ledger())[0],
      payload_type: 'CreditLedgerEntry',
    })
    await one.ledger(await one.spend({ n: 10 }))
    const low = await hook.facts(one.creditId, 4)
    expect(typesOf(low)).toEqual([
      'credit.added',
      'credit.balance_low',
      'credit.deducted',
      'credit.deducted',
    ])
    expect(only(low, 'credit.balance_low').data).toEqual({
      payload_type: 'CreditBalanceLow',
      available_balance: '15',
      brand_id: at.businessId,
      credit_entitlement_id: one.creditId,
      credit_entitlement_name: expect.stringContaining('credits'),
      customer_id: one.customerId,
      subscription_credits_amount: '100',
      subscription_id: one.subscriptionId,
      threshold_amount: '20',
      threshold_percent: 20,
    })
    const path = { credit_entitlement_id: one.creditId }
    const balances = at.client().creditEntitlements.balances
    await balances.createLedgerEntry(one.customerId, { ...path, amount: '5', entry_type: 'credit' })
    await balances.createLedgerEntry(one.customerId, {
      ...path,
      amount: '0.5',
      entry_type: 'debit',
      reason: 'goodwill',
    })
    // 20 is not below 20: the credit re-armed the alarm, and the debit crossed the line again.
    const all = await hook.facts(one.creditId, 8)
    expect(typesOf(all.slice(4))).toEqual([
      'credit.balance_low',
      'credit.deducted',
      'credit.manual_adjustment',
      'credit.manual_adjustment',
    ])
    const debited = all.slice(4).filter(({ data }) => data['is_credit'] === false)
    expect(debited.map(({ data }) => data)).toEqual([debited[0]?.data, debited[0]?.data])
    expect(debited[0]?.data).toMatchObject({
      transaction_type: 'manual_adjustment',
      amount: '0.5',
      description: 'goodwill',
    })
    expect(new Set(all.map(({ id }) => id)).size).toBe(8)
  })

  it('announce a low balance at every crossing downwards, and only then [credits#low-balance]', async () => {
    const hook = await endpoint(undefined, { filter_types: ['credit.balance_low'] })
    const one = await subscriber(at, {
      meters: [{ aggregation: { type: 'last', key: 'n' } }],
      mapping: { low_balance_threshold_percent: 50 },
    })
    const lows: string[] = []
    for (const n of [50, 51, 60, 50, 70, 10, 100])
      lows.push((await one.ledger(await one.spend({ n })))[0]?.balance_after ?? '')
    expect(lows).toEqual(['50', '49', '40', '50', '30', '90', '0'])
    const told = await hook.facts(one.creditId, 3)
    expect(told.map(({ data }) => data['available_balance']).sort()).toEqual(['0', '30', '49'])
  })

  it('announce a low balance of links without a subscription [credits#low-balance]', async () => {
    const hook = await endpoint(undefined, { filter_types: ['credit.balance_low'] })
    const client = at.client()
    const name = fresh('linked')
    const meter = await client.meters.create({
      name,
      event_name: name,
      aggregation: { type: 'count' },
      measurement_unit: 'x',
    })
    const settings = { unit: 'x', precision: 1, overage_enabled: false, rollover_enabled: false }
    const meter_links = [{ meter_id: meter.id, meter_units_per_credit: '0.5' }]
    const body = { name, ...settings, meter_links, low_balance_threshold: '7.5' }
    const credit = await at.call('POST /credit-entitlements', { body })
    const { customer_id } = await client.customers.create({ email: 'c@d.ef', name: 'C' })
    const gift = { credit_entitlement_id: credit.body.id, amount: '10', entry_type: 'credit' }
    await client.creditEntitlements.balances.createLedgerEntry(customer_id, gift as never)
    await ingest(
      at,
      [1, 2].map(() => ({ customer_id, event_name: name })),
    )
    const [low] = await hook.facts(credit.body.id, 1)
    expect(low?.data).toEqual({
      payload_type: 'CreditBalanceLow',
      available_balance: '6',
      brand_id: at.businessId,
      credit_entitlement_id: credit.body.id,
      credit_entitlement_name: name,
      customer_id,
      subscription_credits_amount: '0',
      subscription_id: null,
      threshold_amount: '7.5',
      threshold_percent: 0,
    })
  })

  it('tell nothing of what falls, nor to endpoints that are disabled or want other types', async () => {
    const hook = await endpoint()
    const [deaf, off] = [
      await endpoint(undefined, { filter_types: ['credit.expired'] }),
      await endpoint(undefined, { disabled: true }),
    ]
    const one = await subscriber(at, { meters: [{ aggregation: { type: 'last', key: 'n' } }] })
    await one.ledger(await one.spend({ n: 20 }))
    await one.ledger(await one.spend({ n: 5 }))
    await one.ledger(await one.spend({ n: 30 }))
    expect(typesOf(await hook.facts(one.creditId, 3))).toEqual([
      'credit.added',
      'credit.deducted',
      'credit.deducted',
    ])
    expect([deaf.receiver.received, off.receiver.received]).toEqual([[], []])
  })

  it('carry the headers of the endpoint', async () => {
    const hook = await endpoint(undefined, {
      headers: { 'X-Tier': 'gold', Authorization: 'Basic abc' },
    })
    const one = await subscriber(at)
    await hook.facts(one.creditId, 1)
    expect(hook.receiver.received[0]?.headers).toMatchObject({
      'x-tier': 'gold',
      authorization: 'Basic abc',
    })
  })

  it('are tried again with the same id and body, also after a restart', async () => {
    let refusing = true
    const hook = await endpoint((request, response, raw) =>
      answer(refusing ? 500 : 204)(request, response, raw),
    )
    const failed = 'sluice_webhook_attempts_total{outcome="failed"}'
    const before = await at.total(failed)
    const one = await subscriber(at)
    // Attempts at endpoints that other tests have closed may have failed before.
    const credited = () =>
      hook.receiver.received.filter(({ body }) => body.includes(`"type":"credit.added"`))
    await expect.poll(() => credited().length).toBe(1)
    while ((await at.total(failed)) <= before) await sleep(20)
    await at.restart('SIGKILL')
    refusing = false
    await expect.poll(() => credited().length).toBe(2)
    const [first, second] = credited()
    expect(second?.body).toBe(first?.body)
    expect(second?.id).toBe(first?.id)
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(4_900)
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      type: 'credit.added',
      data: { credit_entitlement_id: one.creditId, transaction_type: 'credit_added' },
    })
  })

  it('stay with their mode', async () => {
    const hook = await endpoint()
    const live = at.client(at.keys.live, true)
    const credit = await live.creditEntitlements.create({
      name: fresh('live'),
      unit: 'x',
      precision: 0,
      overage_enabled: false,
      rollover_enabled: false,
    })
    const customer = await live.customers.create({ email: 'a@example.com', name: 'A' })
    await live.creditEntitlements.balances.createLedgerEntry(customer.customer_id, {
      credit_entitlement_id: credit.id,
      amount: '1',
      entry_type: 'credit',
    })
    const one = await subscriber(at)
    await hook.facts(one.creditId, 1)
    expect(hook.told().every(({ data }) => data['credit_entitlement_id'] !== credit.id)).toBe(true)
  })
})
