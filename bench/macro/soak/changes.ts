import { limits } from '../../../src/limits.ts'
import { usageBased } from '../../../test/support/wire/products.ts'
import type { Site } from '../../harness/site.ts'

/** Everything that the operations of a business change, one after the other. */
export interface Changes {
  /** For the name of each kind of call, how to make it once more. */
  readonly calls: readonly (readonly [string, () => Promise<unknown>])[]
}

interface Id {
  readonly id: string
}

type Create = <T = Id>(path: string, body: object) => Promise<T>

const eventName = 'soak.done'

/** Makes a catalog and a subscriber of its own, beside the customers of the load. */
export async function openChanges(site: Site, sinkUrl: string): Promise<Changes> {
  const create: Create = async <T>(path: string, body: object) =>
    (await site.call<T>('POST', path, { body })).body
  const { entitlement, plans } = await createCatalogue(create)
  let linked = await createLinked(create, 0)
  let links = 0
  await create('/webhooks', { url: sinkUrl })
  const subscribe = (name: string) =>
    create<{ subscription_id: string; customer: { customer_id: string } }>('/subscriptions', {
      billing: { country: 'NL' },
      customer: { email: `${name}@example.com`, name },
      product_id: plans[0],
      quantity: 1,
    })
  let subject = await subjectOf('soak')
  let [number, position, rounds] = [0, '', 0]
  const after = () => ({ headers: { 'Sluice-After': position } })
  const adjust = (type: 'credit' | 'debit') => () =>
    create(`${subject.balance}/ledger-entries`, { entry_type: type, amount: '1', reason: 'soak' })

  return {
    calls: [
      ['ingest', ingest],
      ['balance', () => site.call('GET', subject.balance, after())],
      ['credit', adjust('credit')],
      ['debit', adjust('debit')],
      ['ledger', () => site.call('GET', `${subject.balance}/ledger?page_size=20`)],
      ['event', () => site.call('GET', `/events/soak-${number}`, after())],
      ['explanation', () => site.call('GET', `/events/soak-${number}/explanation`, after())],
      ['void', () => create(`/events/soak-${number}/void`, { reason: 'soak' })],
      ['archive', () => site.call('DELETE', `/meters/${linked.meter}`)],
      ['unarchive', () => site.call('POST', `/meters/${linked.meter}/unarchive`)],
      ['links', relink],
      ['plan', changePlan],
      ['pause', pause],
      ['resume', () => patch({ status: 'active' })],
      ['events', () => site.call('GET', `/events?customer_id=${subject.customerId}&page_size=20`)],
      ['subscribe', () => subscribe(`soak-${number}`)],
    ],
  }

  async function ingest(): Promise<void> {
    number += 1
    const event = {
      event_id: `soak-${number}`,
      customer_id: subject.customerId,
      event_name: eventName,
      metadata: { n: 1 },
    }
    const { headers } = await site.call('POST', '/events/ingest', { body: { events: [event] } })
    position = headers.get('sluice-position') ?? ''
  }

  async function subjectOf(name: string) {
    const { customer, subscription_id } = await subscribe(name)
    const customerId = customer.customer_id
    const balance = `/credit-entitlements/${entitlement.id}/balances/${customerId}`
    return { customerId, balance, subscription: `/subscriptions/${subscription_id}` }
  }

  /** After as many pauses and plan changes as are allowed, another subscription is used. */
  async function pause(): Promise<unknown> {
    rounds += 1
    if (rounds % changesMax === 0) subject = await subjectOf(`soak-${rounds}`)
    return patch({ status: 'paused' })
  }

  /** A meter that was changed and archived as often as allowed is replaced by another. */
  async function relink(): Promise<unknown> {
    links += 1
    if (links % changesMax === 0) linked = await createLinked(create, links)
    const body = {
      meter_links: [{ meter_id: linked.meter, meter_units_per_credit: `${10 + (links % 2)}` }],
    }
    return site.call('PATCH', `/credit-entitlements/${linked.entitlement}`, { body })
  }

  function changePlan(): Promise<unknown> {
    const product_id = plans[number % plans.length]
    const body = { product_id, quantity: 1, proration_billing_mode: 'do_not_bill' }
    return site.call('POST', `${subject.subscription}/change-plan`, { body })
  }

  function patch(body: object): Promise<unknown> {
    return site.call('PATCH', subject.subscription, { body })
  }
}

/** Two plans that differ in their credits, and an entitlement with links of its own. */
async function createCatalogue(create: Create) {
  const meter = { name: 'Soak', event_name: eventName, measurement_unit: 'unit' }
  const main = await create('/meters', { ...meter, aggregation: { type: 'sum', key: 'n' } })
  const entitlement = await create('/credit-entitlements', { ...credit, name: 'Soak' })
  const meters = [
    { meter_id: main.id, credit_entitlement_id: entitlement.id, meter_units_per_credit: '1' },
  ]
  const plans = ['1000000', '2000000'].map((amount) =>
    create<{ product_id: string }>('/products', planOf(amount, { entitlement, meters })),
  )
  const ids = (await Promise.all(plans)).map((plan) => plan.product_id)
  return { entitlement, plans: ids }
}

/** A meter of an event name of its own, and an entitlement that links it by default. */
async function createLinked(create: Create, number: number) {
  const { id: meter } = await create('/meters', {
    name: 'Spare',
    event_name: `${eventName}.${number}`,
    measurement_unit: 'unit',
    aggregation: { type: 'count' },
  })
  const { id: entitlement } = await create('/credit-entitlements', {
    ...credit,
    name: `Soak, linked ${number}`,
    meter_links: [{ meter_id: meter, meter_units_per_credit: '10' }],
  })
  return { meter, entitlement }
}

const credit = { unit: 'credit', precision: 2, overage_enabled: false, rollover_enabled: false }

const changesMax =
  Math.min(limits.archivedRangesMax, limits.linkStretchesMax, limits.subscriptionChangesMax) - 10

const planOf = (amount: string, of: { entitlement: Id; meters: readonly object[] }) => ({
  name: `Soak ${amount}`,
  tax_category: 'saas',
  price: {
    ...usageBased,
    meters: of.meters,
  },
  credit_entitlements: [{ credit_entitlement_id: of.entitlement.id, credits_amount: amount }],
})
