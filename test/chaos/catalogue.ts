import { usageBased } from '../support/wire/products.ts'
import type { Api } from './api.ts'

/** The catalog of the chaos test: all four aggregations, thresholds, overage with a limit. */
export interface MeterPlan {
  readonly name: string
  readonly eventName: string
  readonly aggregation: 'count' | 'sum' | 'max' | 'last'
  readonly key: string | null
  /** Only events whose `key` equals `value`. */
  readonly only: { readonly key: string; readonly value: string } | null
}

export interface LinkPlan {
  readonly meter: string
  readonly unitsPerCredit: string
  readonly freeThreshold: number
}

export interface EntitlementPlan {
  readonly name: string
  readonly precision: number
  /** Null: no overage. */
  readonly overageLimit: string | null
  /** The credits that the subscription begins with; without a subscription, a manual credit. */
  readonly credits: string
  /** Whether manual credits and debits come during the load. Such an account never runs short. */
  readonly adjusted: boolean
  /** Default links of the entitlement instead of a product's. */
  readonly byDefault: boolean
  readonly links: readonly LinkPlan[]
}

export const meterPlans: readonly MeterPlan[] = [
  { name: 'calls', eventName: 'completion', aggregation: 'count', key: null, only: null },
  {
    name: 'large tokens',
    eventName: 'completion',
    aggregation: 'sum',
    key: 'tokens',
    only: { key: 'model', value: 'large' },
  },
  { name: 'peak', eventName: 'completion', aggregation: 'max', key: 'tokens', only: null },
  { name: 'seats', eventName: 'seats', aggregation: 'last', key: 'seats', only: null },
  { name: 'bytes', eventName: 'transfer', aggregation: 'sum', key: 'bytes', only: null },
]

const subscribed: readonly LinkPlan[] = [
  { meter: 'calls', unitsPerCredit: '3', freeThreshold: 25 },
  { meter: 'large tokens', unitsPerCredit: '1000', freeThreshold: 500 },
  { meter: 'peak', unitsPerCredit: '70', freeThreshold: 0 },
  { meter: 'seats', unitsPerCredit: '0.5', freeThreshold: 2 },
]

export const ample: EntitlementPlan = {
  name: 'ample',
  precision: 3,
  overageLimit: null,
  credits: '100000000',
  adjusted: true,
  byDefault: false,
  links: subscribed,
}

/** Its usage runs into overage, and then into the overage limit. */
export const tight: EntitlementPlan = {
  name: 'tight',
  precision: 2,
  overageLimit: '150',
  credits: '60',
  adjusted: false,
  byDefault: false,
  links: subscribed,
}

export const linked: EntitlementPlan = {
  name: 'linked',
  precision: 4,
  overageLimit: null,
  credits: '90000000',
  adjusted: true,
  byDefault: true,
  links: [{ meter: 'bytes', unitsPerCredit: '7', freeThreshold: 1000 }],
}

export const entitlementPlans: readonly EntitlementPlan[] = [ample, tight, linked]

export interface Customer {
  readonly id: string
  /** The plan whose product the customer is subscribed to; null: only default links. */
  readonly plan: EntitlementPlan | null
  readonly subscriptionId: string | null
  /** When the subscription was made, in ms; 0 without one. */
  readonly activatedMs: number
}

export interface Catalogue {
  readonly meterIds: ReadonlyMap<string, string>
  readonly entitlementIds: ReadonlyMap<string, string>
  /** The first customer is the busiest, the next one less busy, and so on. */
  readonly customers: readonly Customer[]
  /** Used by one client alone, so that the balance is known at any moment. */
  readonly solo: Customer
}

/** Makes the whole catalog through the API, before anything is broken. */
export async function makeCatalogue(
  api: Api,
  options: { readonly webhookUrl: string; readonly trust: (secret: string) => void },
): Promise<Catalogue> {
  const webhook = await api.made('/webhooks', { url: options.webhookUrl })
  const { secret } = await api.got(`/webhooks/${webhook['id']}/secret`)
  options.trust(String(secret))
  const meterIds = new Map<string, string>()
  for (const plan of meterPlans) {
    const meter = await api.made('/meters', meterBody(plan))
    meterIds.set(plan.name, String(meter['id']))
  }
  const entitlementIds = new Map<string, string>()
  const productIds = new Map<string, string>()
  for (const plan of entitlementPlans) {
    const made = await api.made('/credit-entitlements', entitlementBody(plan, meterIds))
    entitlementIds.set(plan.name, String(made['id']))
    if (plan.byDefault) continue
    const product = await api.made('/products', productBody(plan, String(made['id']), meterIds))
    productIds.set(plan.name, String(product['product_id']))
  }
  const plans = [ample, ample, tight, null, ample, tight, null]
  const customers: Customer[] = []
  for (const plan of [...plans, ample]) {
    customers.push(await makeCustomer(api, plan, { number: customers.length, productIds }))
  }
  const linkedId = entitlementIds.get(linked.name)
  for (const customer of customers) {
    const path = `/credit-entitlements/${linkedId}/balances/${customer.id}/ledger-entries`
    await api.made(path, { entry_type: 'credit', amount: linked.credits, reason: 'initial' })
  }
  const solo = customers.pop()
  if (solo === undefined) throw new Error('There is no customer.')
  return { meterIds, entitlementIds, customers, solo }
}

async function makeCustomer(
  api: Api,
  plan: EntitlementPlan | null,
  { number, productIds }: { number: number; productIds: ReadonlyMap<string, string> },
): Promise<Customer> {
  const body = { name: `Customer ${number}`, email: `customer-${number}@example.com` }
  const made = await api.made('/customers', body)
  const id = String(made['customer_id'])
  if (plan === null) return { id, plan, subscriptionId: null, activatedMs: 0 }
  const activatedMs = Date.now()
  const subscription = await api.made('/subscriptions', {
    billing: { country: 'GB' },
    customer: { customer_id: id },
    product_id: productIds.get(plan.name),
    quantity: 1,
  })
  return { id, plan, subscriptionId: String(subscription['subscription_id']), activatedMs }
}

function meterBody({ name, eventName, aggregation, key, only }: MeterPlan): object {
  const clause = only === null ? null : { key: only.key, operator: 'equals', value: only.value }
  return {
    name,
    event_name: eventName,
    measurement_unit: 'unit',
    aggregation: { type: aggregation, key },
    filter: clause === null ? null : { conjunction: 'and', clauses: [clause] },
  }
}

function entitlementBody(plan: EntitlementPlan, meterIds: ReadonlyMap<string, string>): object {
  const links = plan.links.map((link) => ({
    meter_id: meterIds.get(link.meter),
    meter_units_per_credit: link.unitsPerCredit,
    free_threshold: link.freeThreshold,
  }))
  return {
    name: plan.name,
    unit: 'credit',
    precision: plan.precision,
    overage_enabled: plan.overageLimit !== null,
    ...(plan.overageLimit === null ? {} : { price_per_unit: '0.5', currency: 'USD' }),
    rollover_enabled: false,
    meter_links: plan.byDefault ? links : null,
  }
}

function productBody(
  plan: EntitlementPlan,
  entitlementId: string,
  meterIds: ReadonlyMap<string, string>,
): object {
  return {
    name: plan.name,
    tax_category: 'saas',
    price: {
      ...usageBased,
      meters: plan.links.map((link) => ({
        meter_id: meterIds.get(link.meter),
        credit_entitlement_id: entitlementId,
        meter_units_per_credit: link.unitsPerCredit,
        free_threshold: link.freeThreshold,
      })),
    },
    credit_entitlements: [
      {
        credit_entitlement_id: entitlementId,
        credits_amount: plan.credits,
        low_balance_threshold_percent: 20,
        overage_limit: plan.overageLimit,
      },
    ],
  }
}
