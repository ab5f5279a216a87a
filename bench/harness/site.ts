import { resolve } from 'node:path'
import { scratchDirectory, startServer } from './server.ts'
import type { Workload } from './workload.ts'
import { eventName, largeTokensMin } from './workload.ts'

/** A server of its own on a directory of its own, with a catalogue and customers. */
export interface Site {
  readonly pid: number
  readonly url: string
  readonly opsUrl: string
  readonly apiKey: string
  readonly dataDir: string
  readonly entitlementId: string
  readonly customers: readonly string[]
  /** More customers, of whom no workload sends events. */
  readonly quiet: readonly string[]
  call<T>(method: 'GET' | 'POST', path: string, options?: CallOptions): Promise<Answer<T>>
  /** A workload for its customers; `name` keeps the ids apart from those of other workloads. */
  workload(name: string, batch: number): Workload
  stop(): Promise<void>
}

export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer<T> {
  readonly body: T
  readonly headers: Headers
}

/** Credits that every customer has: no run can use them up. */
export const creditsGranted = 1_000_000_000
/** So that the worth of whole units is exact at the entitlement's precision of 3. */
export const unitsPerCredit = 1_000

const quietCustomers = 8

export interface SiteOptions {
  /** How many the workloads send events of. */
  readonly customers: number
  /** What the server does, all of it by default. */
  readonly roles?: string
  /** Where it writes a CPU profile of each thread, null: nowhere. */
  readonly profile: string | null
}

/** Starts the built server as `npm start` does, and fills it through its API. */
export async function openSite({ customers, profile, roles }: SiteOptions): Promise<Site> {
  const scratch = scratchDirectory()
  const flags = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`]
  const server = await startServer({
    dataDir: scratch.path,
    flags,
    ...(roles === undefined ? {} : { roles }),
  })
  const [url, apiKey] = [server.ready['test_url'] ?? '', server.ready['api_key'] ?? '']
  const call = caller(url, apiKey)
  const { entitlementId, productId } = await createCatalogue(call)
  const made = await createCustomers(call, productId, customers + quietCustomers)
  const timestamp = new Date(performance.timeOrigin + performance.now()).toISOString()
  const site = {
    pid: server.pid,
    url,
    opsUrl: server.ready['ops_url'] ?? '',
    apiKey,
    dataDir: scratch.path,
    entitlementId,
    customers: made.slice(0, customers),
    quiet: made.slice(customers),
    call,
  }
  return { ...site, workload, stop }

  function workload(name: string, batch: number): Workload {
    const idPrefix = `evt_${name.padEnd(20, '0')}`
    return { customers: site.customers, eventName, timestamp, idPrefix, batch }
  }

  async function stop(): Promise<void> {
    await server.stop()
    scratch.remove()
  }
}

type Call = Site['call']

function caller(url: string, apiKey: string): Call {
  return async <T>(method: string, path: string, { body, headers }: CallOptions = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`)
    return { body: JSON.parse(text) as T, headers: response.headers }
  }
}

/** Three meters on one event name, each a credit a thousand units. */
async function createCatalogue(call: Call) {
  const create = async (path: string, body: object): Promise<Record<string, string>> =>
    (await call<Record<string, string>>('POST', path, { body })).body
  const sum = { type: 'sum', key: 'tokens' }
  const filter = {
    conjunction: 'and',
    clauses: [
      { key: 'model', operator: 'equals', value: 'large' },
      { key: 'tokens', operator: 'greater_than', value: largeTokensMin },
    ],
  }
  const meters = await Promise.all(
    [
      { name: 'Calls', aggregation: { type: 'count' } },
      { name: 'Tokens', aggregation: sum },
      { name: 'Large', aggregation: sum, filter },
    ].map((meter) =>
      create('/meters', { ...meter, event_name: eventName, measurement_unit: 'unit' }),
    ),
  )
  const entitlement = await create('/credit-entitlements', {
    name: 'Credits',
    unit: 'credit',
    precision: 3,
    overage_enabled: false,
    rollover_enabled: false,
  })
  const monthly = { payment_frequency_count: 1, payment_frequency_interval: 'Month' }
  const yearly = { subscription_period_count: 1, subscription_period_interval: 'Year' }
  const product = await create('/products', {
    name: 'Bench',
    tax_category: 'saas',
    price: {
      type: 'usage_based_price',
      currency: 'USD',
      discount: 0,
      fixed_price: 0,
      ...monthly,
      ...yearly,
      meters: meters.map((meter) => ({
        meter_id: meter['id'],
        credit_entitlement_id: entitlement['id'],
        meter_units_per_credit: String(unitsPerCredit),
      })),
    },
    credit_entitlements: [
      { credit_entitlement_id: entitlement['id'], credits_amount: String(creditsGranted) },
    ],
  })
  return { entitlementId: entitlement['id'] ?? '', productId: product['product_id'] ?? '' }
}

interface Subscribed {
  readonly customer: { readonly customer_id: string }
}

/** Each with an active subscription. A few at a time: the store has few connections. */
async function createCustomers(
  call: Call,
  productId: string,
  count: number,
): Promise<readonly string[]> {
  const made: string[] = []
  let next = 0
  await Promise.all(Array.from({ length: 6 }, create))
  return made

  async function create(): Promise<void> {
    while (next < count) {
      const index = next
      next += 1
      const customer = { email: `customer-${index}@example.com`, name: `Customer ${index}` }
      const body = { billing: { country: 'NL' }, customer, product_id: productId, quantity: 1 }
      const answer = await call<Subscribed>('POST', '/subscriptions', { body })
      made[index] = answer.body.customer.customer_id
    }
  }
}
