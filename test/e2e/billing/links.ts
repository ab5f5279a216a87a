import { beforeEach, describe, expect, it } from 'vitest'
import { wellInsideAMonth } from '../../support/store/month.ts'
import { usageBased } from '../../support/wire/products.ts'
import { at } from '../here.ts'
import { onceMeasured } from '../once-measured.ts'
import { fresh, ingest, subscriber } from '../plan.ts'

interface Linked {
  readonly creditId: string
  readonly customerId: string
  readonly meterId: string
  /** Replaces the links of the entitlement. */
  relink(links: readonly object[]): Promise<void>
  /** Uses the meter so many times; answers the balance afterwards. */
  use(times: number): Promise<unknown>
}

/** A customer without a subscription, with 100 credits of an entitlement with links of its own. */
async function linked(link: object): Promise<Linked> {
  const client = at.client()
  const [eventName, name] = [fresh('linked'), fresh('links')]
  const { id: meterId } = await client.meters.create({
    name: fresh('m'),
    event_name: eventName,
    measurement_unit: 'x',
    aggregation: { type: 'count' },
  })
  const settings = { unit: 'x', precision: 3, overage_enabled: false, rollover_enabled: false }
  const links = [{ meter_id: meterId, ...link }]
  const body = { name, ...settings, meter_links: links, low_balance_threshold: '50' }
  const credit = await at.call('POST /credit-entitlements', { body })
  expect(credit.body).toMatchObject({ meter_links: links, low_balance_threshold: '50' })
  const { customer_id: customerId } = await client.customers.create({ email: 'b@c.de', name: 'B' })
  const target: `/${string}` = `/credit-entitlements/${credit.body.id}`
  const gift = { amount: '100', entry_type: 'credit' }
  await at.call(`POST ${target}/balances/${customerId}/ledger-entries`, { body: gift })
  return {
    creditId: credit.body.id,
    customerId,
    meterId,
    async relink(meter_links) {
      expect((await at.call(`PATCH ${target}`, { body: { meter_links } })).status).toBe(204)
    },
    async use(times) {
      const event = { customer_id: customerId, event_name: eventName }
      const position = await ingest(
        at,
        Array.from({ length: times }, () => event),
      )
      const read = { headers: { 'Sluice-After': position } }
      const ask = () => at.call(`GET ${target}/balances/${customerId}`, read)
      return (await onceMeasured(ask)).body['balance']
    },
  }
}

describe('the links of an entitlement', () => {
  beforeEach(wellInsideAMonth)

  it('charge customers without a subscription', async () => {
    const by = await linked({ meter_units_per_credit: '8', free_threshold: 2 })
    expect(await by.use(2)).toBe('100')
    expect(await by.use(9)).toBe('98.875')
  })

  it('can be changed, which reprices nothing', async () => {
    const by = await linked({ meter_units_per_credit: '1', free_threshold: 3 })
    expect(await by.use(10)).toBe('93')
    await by.relink([{ meter_id: by.meterId, meter_units_per_credit: '2' }])
    expect(await by.use(10)).toBe('88')
    await by.relink([])
    expect(await by.use(10)).toBe('88')
    await by.relink([{ meter_id: by.meterId, meter_units_per_credit: '1' }])
    expect(await by.use(4)).toBe('84')
  })

  it('yield to a subscription that carries the meter', async () => {
    const client = at.client()
    const by = await linked({ meter_units_per_credit: '1', free_threshold: null })
    expect(await by.use(5)).toBe('95')
    const product = await client.products.create({
      name: fresh('plan'),
      tax_category: 'saas',
      credit_entitlements: [{ credit_entitlement_id: by.creditId, credits_amount: '10' }],
      price: {
        ...usageBased,
        meters: [
          {
            meter_id: by.meterId,
            credit_entitlement_id: by.creditId,
            meter_units_per_credit: '0.5',
          },
        ],
      },
    })
    const { customerId: customer_id } = by
    await client.subscriptions.create({
      billing: { country: 'DE' },
      customer: { customer_id },
      product_id: product.product_id,
      quantity: 1,
    })
    expect(await by.use(3)).toBe('99')
  })

  it('feed beside a subscription to something else', async () => {
    const one = await subscriber(at)
    const by = await linked({ meter_units_per_credit: '1', free_threshold: null })
    const client = at.client()
    const twin = await client.meters.create({
      name: fresh('twin'),
      event_name: one.eventNames[0] ?? '',
      measurement_unit: 'n',
      aggregation: { type: 'sum', key: 'n' },
    })
    await by.relink([{ meter_id: twin.id, meter_units_per_credit: '1' }])
    await client.creditEntitlements.update(by.creditId, {
      overage_enabled: true,
      price_per_unit: '1',
      currency: 'USD',
    })
    const position = await one.spend({ n: 7 })
    expect((await one.balance(position)).balance).toBe('99')
    const target = `GET /credit-entitlements/${by.creditId}/balances/${one.customerId}` as const
    const headers = { 'Sluice-After': position }
    expect((await at.call(target, { headers })).body).toMatchObject({ balance: '0', overage: '7' })
  })
})
