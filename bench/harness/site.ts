import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { usageBased } from '../../test/support/wire/products.ts'
import type { Parts } from './parts.ts'
import type { Server, ServerOptions, Settings } from './server.ts'
import { command, scratchDirectory, startServer } from './server.ts'
import type { Workload } from './workload.ts'
import { eventName, largeTokensMin } from './workload.ts'

/** A server with a directory of its own, a catalog and customers. */
export interface Site {
  readonly pid: number
  readonly url: string
  /** Where its metrics are. */
  readonly opsUrl: string
  readonly apiKey: string
  readonly dataDir: string
  /** The parts that it uses; null: the embedded ones. */
  readonly parts: Parts | null
  readonly entitlementId: string
  readonly customers: readonly string[]
  /** More customers, for which no workload sends events. */
  readonly quiet: readonly string[]
  /** One more business. */
  another(): Promise<Another>
  call<T>(method: Method, path: string, options?: CallOptions): Promise<Answer<T>>
  /** A workload for its customers; `name` keeps the ids apart from those of other workloads. */
  workload(name: string, batch: number): Workload
  /**
   * Another server on the same data, after this one has stopped; `meanwhile` comes in between.
   * Without roles it has all.
   */
  restarted(roles: string | null, meanwhile?: () => Promise<void>): Promise<Site>
  /** One more process on the same parts, which stops together with the site. */
  beside(roles: string): Promise<Server>
  stop(): Promise<void>
}

/** A business with a customer and nothing else. */
export interface Another {
  readonly writeKey: string
  readonly readKey: string
  readonly customerId: string
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer<T> {
  readonly body: T
  readonly headers: Headers
}

/** The credits of every customer: more than any run can use. */
export const creditsGranted = 1_000_000_000
/** Chosen so that whole units are worth exact credits at the entitlement's precision of 3. */
export const unitsPerCredit = 1_000

const quietCustomers = 8

export interface SiteOptions {
  /** For how many customers the workloads send events. */
  readonly customers: number
  /** Another program than `serve`. */
  readonly program?: URL
  /** The parts to use; absent: the embedded ones. */
  readonly parts?: Parts
  readonly settings?: Settings
  /** The folder for a CPU profile of each thread; null: none. */
  readonly profile: string | null
}

/** Starts the built server as `npm start` does, and fills it through its API. */
export async function openSite(options: SiteOptions): Promise<Site> {
  const { customers, parts = null, profile, program } = options
  const scratch = scratchDirectory()
  const flags = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`]
  const settings = { ...parts?.settings, ...options.settings }
  const place = { scratch, dataDir: scratch.path, flags, settings }
  const server = await startServer({ ...place, ...(program === undefined ? {} : { program }) })
  const apiKey = server.ready['api_key'] ?? (await createKey(place, await createBusiness(place)))
  const call = caller(server.ready['test_url'] ?? '', apiKey)
  const { entitlementId, productId } = await createCatalogue(call)
  const made = await createCustomers(call, productId, customers + quietCustomers)
  const content = {
    apiKey,
    dataDir: scratch.path,
    parts,
    entitlementId,
    customers: made.slice(0, customers),
    quiet: made.slice(customers),
  }
  return siteOn(server, place, content)
}

type Content = Pick<Site, 'apiKey' | 'dataDir' | 'parts' | 'entitlementId' | 'customers' | 'quiet'>

/** Where a server runs, the first one or a later one. */
type Place = ServerOptions & { readonly scratch: ReturnType<typeof scratchDirectory> }

function siteOn(server: Server, place: Place, content: Content): Site {
  const url = server.ready['test_url'] ?? ''
  const timestamp = new Date(performance.timeOrigin + performance.now()).toISOString()
  const call = caller(url, content.apiKey)
  const opsUrl = server.ready['ops_url'] ?? ''
  const others: Server[] = []
  const another = async (): Promise<Another> => {
    const business = await createBusiness(place)
    const writeKey = await createKey(place, business)
    const readKey = await createKey(place, business, '--read-only')
    const body = { email: 'another@example.com', name: 'Another' }
    const made = await caller(url, writeKey)<Record<string, string>>('POST', '/customers', { body })
    return { writeKey, readKey, customerId: made.body['customer_id'] ?? '' }
  }
  const calls = { another, call, workload, restarted, beside, stop }
  return { ...content, ...calls, pid: server.pid, url, opsUrl }

  function workload(name: string, batch: number): Workload {
    const idPrefix = `evt_${name.padEnd(20, '0')}`
    return { customers: content.customers, eventName, timestamp, idPrefix, batch }
  }

  async function restarted(
    roles: string | null,
    meanwhile: () => Promise<void> = async () => undefined,
  ): Promise<Site> {
    await server.stop()
    await meanwhile()
    const next = await startServer({ ...place, ...(roles !== null && { roles }) })
    return siteOn(next, place, content)
  }

  async function beside(roles: string): Promise<Server> {
    const dataDir = join(place.dataDir, `${roles} ${others.length + 1}`)
    mkdirSync(dataDir, { mode: 0o700 })
    const other = await startServer({ ...place, dataDir, roles })
    others.push(other)
    return other
  }

  async function stop(): Promise<void> {
    for (const other of others) await other.stop()
    await server.stop()
    place.scratch.remove()
  }
}

/** Only the first start on an embedded store makes a business and a key by itself. */
async function createBusiness(place: ServerOptions): Promise<string> {
  const unlimited = ['--name', 'Bench', '--rate-tier', 'unlimited']
  const { business_id = '' } = await command(['business', 'create', ...unlimited], place)
  return business_id
}

async function createKey(
  place: ServerOptions,
  business: string,
  ...flags: readonly string[]
): Promise<string> {
  const words = ['keys', 'create', '--business', business, '--mode', 'test', ...flags]
  const { api_key = '' } = await command(words, place)
  return api_key
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
    // An answer without a body has nothing to parse.
    return { body: (text === '' ? null : JSON.parse(text)) as T, headers: response.headers }
  }
}

/** Three meters on one event name, each at a thousand units per credit. */
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
  const product = await create('/products', {
    name: 'Bench',
    tax_category: 'saas',
    price: {
      ...usageBased,
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

/** Each with an active subscription. A few at a time, because the store has few connections. */
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
