import type { Addresses, MainParts } from './compose.ts'
import { creditBalances } from './edge/api/credit-balances.ts'
import { creditEntitlementRoutes } from './edge/api/credit-entitlements.ts'
import { customerRoutes } from './edge/api/customers.ts'
import { events } from './edge/api/events.ts'
import { meterRoutes } from './edge/api/meters.ts'
import { productRoutes } from './edge/api/products.ts'
import { subscriptions as subscriptionRoutes } from './edge/api/subscriptions.ts'
import { webhooks } from './edge/api/webhooks.ts'
import { byteBudget } from './edge/http/budget.ts'
import type { Route } from './edge/http/route.ts'
import type { Listener } from './edge/http/server.ts'
import { openHttpServer } from './edge/http/server.ts'
import { loadHttpEngine } from './edge/http/uws.ts'
import { knownCustomers } from './edge/ingest/customers.ts'
import { ingestRoute } from './edge/ingest/ingest.ts'
import { openNamespaces } from './edge/ingest/namespaces.ts'
import { packer } from './edge/ingest/packer.ts'
import { limits } from './limits.ts'
import type { DedupeFilter } from './parts/dedupe/port.ts'
import type { EventLog, LogReader } from './parts/event-log/port.ts'
import { accounts } from './parts/store/postgres/accounts.ts'
import { archiveReader } from './parts/store/postgres/archive-view.ts'
import type { Db } from './parts/store/postgres/client.ts'
import { creditEntitlements } from './parts/store/postgres/credit-entitlements.ts'
import { customers } from './parts/store/postgres/customers.ts'
import { ledger } from './parts/store/postgres/ledger.ts'
import { measuring } from './parts/store/postgres/measuring.ts'
import { meters } from './parts/store/postgres/meters.ts'
import { products } from './parts/store/postgres/products.ts'
import { subscriptions } from './parts/store/postgres/subscriptions.ts'
import { voids } from './parts/store/postgres/voids.ts'
import { webhookEndpoints } from './parts/store/postgres/webhook-endpoints.ts'
import { destinations } from './rules/facts/destination.ts'
import { compileFilter } from './rules/meter/filter.ts'
import { openSecrets } from './runtime/secrets.ts'
import { createFingerprinter, partitionOf } from './std/fingerprint.ts'

/** What the edge appends to, filters by, and reads events from. */
export interface EdgeParts {
  readonly log: EventLog
  readonly filter: DedupeFilter
  readonly reader: LogReader
}

/** The repositories that the API stands on. */
const repositories = (db: Db) => ({
  accounts: accounts(db),
  customers: customers(db),
  creditEntitlements: creditEntitlements(db),
  entitlements: creditEntitlements(db),
  ledger: ledger(db),
  measuring: measuring(db),
  meters: meters(db),
  products: products(db),
  subscriptions: subscriptions(db),
  endpoints: webhookEndpoints(db),
  archive: archiveReader(db),
  voids: voids(db),
})

/** Serves the API of both modes, ingestion included. */
export async function openEdge(parts: MainParts, edge: EdgeParts): Promise<Addresses> {
  const { config, store, clock, newId, logger, metrics, life } = parts
  const engine = loadHttpEngine()
  if (engine.kind === 'plain')
    logger.warn({ http: engine.description }, 'The slow HTTP engine runs.')
  else logger.info({ http: engine.description }, 'HTTP engine loaded.')

  const budget = byteBudget(limits.inflightBytesMax)
  metrics.ingestInflightBytes.sampled(() => budget.used)
  const server = await openHttpServer({
    engine,
    host: config.host,
    listeners: listenersOf(config),
    routes: routesOf(parts, edge, budget),
    keys: store.keys,
    maxStale: config.maxStale,
    budget,
    clock,
    newId,
    logger,
    metrics: {
      request: (route, method, code, seconds) => {
        metrics.httpRequests.add(1, { route, method, code })
        metrics.httpDuration.observe(seconds, { route })
      },
    },
  })
  life.own('edge', (withinMs) => server.stop(withinMs))
  const [test, live] = server.ports
  return { test: urlOf(config.host, test), live: urlOf(config.host, live ?? test) }
}

function listenersOf(config: MainParts['config']): readonly Listener[] {
  const { hosts, port, livePort } = config
  if (hosts !== null) return [{ port, mode: { testHost: hosts.test, liveHost: hosts.live } }]
  return [
    { port, mode: 'test' },
    { port: livePort, mode: 'live' },
  ]
}

const urlOf = (host: string, port: number | undefined): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port ?? 0}`

function routesOf(
  parts: MainParts,
  edge: EdgeParts,
  budget: ReturnType<typeof byteBudget>,
): readonly Route[] {
  const { config, store, secretsKey, clock, newId } = parts
  const needs = { ...repositories(store.db), newId, clock }
  const positions = { measuring: needs.measuring, log: edge.log }
  const fingerprinter = createFingerprinter(store.installation.fingerprintKey)
  return [
    ingesting(parts, edge, needs, budget),
    ...customerRoutes(needs),
    ...meterRoutes(needs),
    ...creditEntitlementRoutes(needs),
    ...creditBalances({ ...needs, positions }),
    ...productRoutes(needs),
    ...subscriptionRoutes({ ...needs, positions }),
    ...webhooks({
      ...needs,
      secrets: openSecrets(secretsKey),
      destinations: destinations(config.webhookAllowPrivate),
    }),
    ...events({
      archive: needs.archive,
      voids: needs.voids,
      positions,
      reader: edge.reader,
      partitions: edge.log.partitions,
      fingerprint: (businessId, mode, eventId) => {
        const [hi = 0, lo = 0] = fingerprinter.fingerprints(businessId, mode, [eventId])
        return [hi, lo]
      },
      partitionOf,
      meter: (businessId, mode, meterId) => needs.meters.get({ businessId, mode }, meterId),
      compileFilter,
    }),
  ]
}

function ingesting(
  { store, clock, logger, metrics, life }: MainParts,
  { log, filter }: EdgeParts,
  needs: ReturnType<typeof repositories>,
  budget: ReturnType<typeof byteBudget>,
): Route {
  const namespaces = openNamespaces(needs.measuring, logger)
  life.own('dedupe namespaces', async () => namespaces.close())
  const { fingerprints } = createFingerprinter(store.installation.fingerprintKey)
  return ingestRoute({
    log,
    packer: packer({
      log,
      budget,
      clock,
      appended: (seconds) => metrics.logAppendDuration.observe(seconds, {}),
    }),
    dedupe: filter,
    namespaceOf: namespaces.of,
    fingerprinter: { fingerprints, partitionOf },
    customers: knownCustomers(needs.customers),
    metrics: {
      request: (code, seconds) => {
        metrics.ingestRequests.add(1, { code })
        metrics.ingestDuration.observe(seconds, {})
      },
      events: (result, count) => metrics.ingestEvents.add(count, { result }),
    },
  })
}
