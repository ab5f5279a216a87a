import { checkoutRoutes } from '../edge/api/checkouts.ts'
import { clock as clockRoutes } from '../edge/api/clock.ts'
import { creditBalances } from '../edge/api/credit-balances.ts'
import { customerRoutes } from '../edge/api/customers.ts'
import { discountRoutes } from '../edge/api/discounts.ts'
import { downloadPages } from '../edge/api/downloads.ts'
import { events } from '../edge/api/events.ts'
import { explanationRoutes } from '../edge/api/explanations.ts'
import { imagePages } from '../edge/api/images.ts'
import { invoiceRoutes } from '../edge/api/invoices.ts'
import { apiDescription, describedRoutes, openApiRoute } from '../edge/api/openapi.ts'
import { paymentRoutes } from '../edge/api/payments.ts'
import { portalSessions } from '../edge/api/portal.ts'
import { refusingMisspelled } from '../edge/api/query-names.ts'
import { shortLinkPage } from '../edge/api/short-links.ts'
import { subscriptionRoutes } from '../edge/api/subscriptions.ts'
import { walletRoutes } from '../edge/api/wallets.ts'
import { webhookMessageRoutes } from '../edge/api/webhook-messages.ts'
import { webhooks } from '../edge/api/webhooks.ts'
import type { ByteBudget } from '../edge/http/budget.ts'
import { byteBudget } from '../edge/http/budget.ts'
import type { Route } from '../edge/http/route.ts'
import { openHttpServer } from '../edge/http/server.ts'
import { tracedRoute } from '../edge/http/traced.ts'
import { loadHttpEngine } from '../edge/http/uws.ts'
import { eventTracesOf } from '../edge/ingest/event-traces.ts'
import { limits } from '../limits.ts'
import type { AccountNeeds } from '../operations/accounts/change-accounts.ts'
import type { MeasuredNews } from '../operations/events/await-position.ts'
import { sharedPositions } from '../operations/events/await-position.ts'
import { buyPage } from '../pages/checkout/buy.ts'
import { forPeople } from '../pages/checkout/for-people.ts'
import { checkoutPages } from '../pages/checkout/routes.ts'
import type { Pulse } from '../pages/console/pulse.ts'
import { openPulse } from '../pages/console/pulse.ts'
import { portalPages } from '../pages/portal/routes.ts'
import { manualRoutes } from '../pages/routes.ts'
import type { DedupeFilter } from '../parts/dedupe/port.ts'
import type { EventLog, LogReader } from '../parts/event-log/port.ts'
import type { Files } from '../parts/files/port.ts'
import { openPdfPapers } from '../parts/papers/pdf/papers.ts'
import type { Papers } from '../parts/papers/port.ts'
import { shortLinks } from '../parts/store/postgres/catalog/short-links.ts'
import type { Db } from '../parts/store/postgres/connection/client.ts'
import { destinations } from '../rules/facts/destination.ts'
import { compileFilter } from '../rules/meter/filter.ts'
import type { Mode } from '../rules/meter/meter.ts'
import { randomDiscountCode } from '../runtime/discount-code.ts'
import type { EngineThread } from '../runtime/engine-thread.ts'
import { heapBytesMax } from '../runtime/heap.ts'
import { randomUuid } from '../runtime/ids.ts'
import { pauseFor } from '../runtime/pause.ts'
import { openSecrets } from '../runtime/secrets.ts'
import { openSignedTokens } from '../runtime/signed-token.ts'
import type { Tracing } from '../runtime/tracing.ts'
import { compileNextSchema } from '../std/schema.ts'
import { downloadLinkPurpose } from '../wire/download-link.ts'
import { invoiceLinkPurpose } from '../wire/invoice-link.ts'
import { catalogRoutes } from './catalog-routes.ts'
import { consoleActs, openConsole } from './console.ts'
import { openCounters } from './counters.ts'
import { explainPortsOn } from './explain.ts'
import { openFiles } from './files.ts'
import { keyDirectory } from './keys.ts'
import { moneyRoutes } from './money-routes.ts'
import type { Addresses, MainNeeds } from './parts.ts'
import { servingOf, urlsOf } from './serving.ts'
import type { Sharing } from './shares.ts'
import { storeShares } from './shares.ts'
import { backfillMax, repositories } from './store.ts'
import { streamRoute } from './streams.ts'
import { openTracing } from './tracing.ts'
import { openIngesting } from './wiring/ingesting.ts'

/**
 * The log that the edge appends to, the dedupe by which it filters, and what it reads events from.
 */
export interface EdgeNeeds {
  readonly log: EventLog
  readonly filter: DedupeFilter
  readonly reader: LogReader
  readonly news: MeasuredNews
  /** How the engine's thread is doing. */
  readonly reading: EngineThread['reading']
  /** Called when an operation may have committed facts. */
  readonly changed: () => void
}

/** Serves the API of both modes, ingestion included. */
export async function openEdge(parts: MainNeeds, edge: EdgeNeeds): Promise<Addresses> {
  const { config, clock, newId, logger, metrics, life } = parts
  const engine = loadHttpEngine()
  const http = { kind: engine.kind, http: engine.description, why: engine.why ?? undefined }
  if (engine.kind === 'node_http') logger.warn(http, 'The slow HTTP engine runs.')
  else logger.info(http, 'HTTP engine loaded.')
  metrics.httpEngine.set(1, { kind: engine.kind })

  const share = heapBytesMax * limits.inflightHeapShare
  const budget = byteBudget(Math.min(limits.inflightBytesMax, share))
  metrics.ingestInflightBytes.sampled(() => budget.used)
  const tracing = await openTracing(parts)
  const files = await openFiles(config, logger)
  const shared = storeShares(parts)
  const papers = openPdfPapers({ logger })
  life.own('papers', () => papers.close())
  const pulse = pulseOf(parts, edge)
  const made = routesOf(
    parts,
    { ...edge, accepted: pulse.accepted, budget, files, papers, shared, tracing },
    () => server.forgetKeys(),
  )
  const api = servedAs(made, tracing)
  const manual: readonly Route[] = manualRoutes(() => apiDescription([...api, ...manual]))
  const routes = [...api, ...manual]
  const acts = actsOf(parts, { files, shared })
  const counters = await openCounters(parts)
  const server = await openHttpServer({
    ...servingOf(config),
    engine,
    routes: [
      ...routes,
      openApiRoute(routes),
      ...pagesOf(parts, { shared, files }),
      ...openConsole({ ...parts, counters, pulse }, { api, acts }, () => server.forgetKeys()),
    ].map((route) => withNews(route, edge.changed)),
    keys: keyDirectory(parts),
    budget,
    clock,
    newId,
    logger,
    counters,
    metrics: {
      rateLimited: (scope) => metrics.rateLimited.add(1, { scope }),
      request: (route, method, code, seconds) => {
        metrics.httpRequests.add(1, { route, method, code })
        metrics.httpDuration.observe(seconds, { route })
      },
    },
  })
  life.own('edge', (withinMs) => server.stop(withinMs))
  void compileMeanwhile()
  return urlsOf(config, server.ports)
}

/** What a command has committed is told at once. Usage events are no facts yet. */
function withNews(route: Route, changed: () => void): Route {
  const isCommand = route.method !== 'GET' && route.answered === undefined
  return isCommand ? { ...route, answered: changed } : route
}

/**
 * Compiles all schemas once somebody can be answered: until then a request waits for its own one
 * alone.
 */
async function compileMeanwhile(): Promise<void> {
  while (compileNextSchema()) await pauseFor(1)
}

const actsOf = (
  parts: MainNeeds,
  { files, shared }: Pick<ServedEdge, 'files' | 'shared'>,
): readonly Route[] =>
  shared((db) => {
    const { keys } = parts.store
    return consoleActs({ ...repositories(db, parts.config), ...ownNeeds(parts), files, keys })
  })

function pulseOf({ clock, life }: MainNeeds, { reading }: EdgeNeeds): Pulse {
  const pulse = openPulse({ reading, clock })
  life.own('pulse', async () => pulse.stop())
  return pulse
}

/** Pages for buyers are no part of the API's description. */
const pagesOf = (
  parts: MainNeeds,
  { files, shared }: Pick<ServedEdge, 'files' | 'shared'>,
): readonly Route[] => {
  const { config, store, secretsKey, clock, newId } = parts
  return [
    forPeople(shortLinkPage({ shortLinks: shortLinks(store.db), publicUrl: config.publicUrl })),
    ...shared((db) => {
      const needs = { ...repositories(db, config), clock, newId }
      return [
        ...checkoutPages({ ...needs, ...ownNeeds(parts) }),
        forPeople(buyPage(needs)),
        ...portalPages({ ...needs, ...ownNeeds(parts), secrets: openSecrets(secretsKey) }),
        ...imagePages({ ...needs, ...ownNeeds(parts), files }),
        ...downloadPages({ ...needs, ...ownNeeds(parts), files }),
      ]
    }),
  ]
}

/** What operations need besides the store. */
function ownNeeds({ config, clock, newId, metrics, secretsKey }: MainNeeds) {
  const wrote: NonNullable<AccountNeeds['wrote']> = (entries) => {
    for (const { type } of entries) metrics.creditEntries.add(1, { transaction_type: type })
  }
  const retried: NonNullable<AccountNeeds['retried']> = (operation) =>
    metrics.changeRetries.add(1, { operation })
  const { publicUrl, refundWindow } = config
  const uploads = openSignedTokens(secretsKey, 'image upload')
  const tokens = openSignedTokens(secretsKey, invoiceLinkPurpose)
  const downloads = openSignedTokens(secretsKey, downloadLinkPurpose)
  const fileUploads = openSignedTokens(secretsKey, 'file upload')
  return {
    newId,
    newUuid: randomUuid,
    publicUrl,
    refundWindow,
    uploads,
    downloads,
    fileUploads,
    tokens,
    clock,
    wrote,
    retried,
  }
}

interface ServedEdge extends EdgeNeeds {
  readonly budget: ByteBudget
  readonly files: Files
  readonly papers: Papers
  readonly accepted: Pulse['accepted']
  readonly shared: Sharing
  readonly tracing: Tracing | null
}

function routesOf(parts: MainNeeds, edge: ServedEdge, forgetKeys: () => void): readonly Route[] {
  const { config, store, secretsKey, clock, newId } = parts
  const own = ownNeeds(parts)
  const needsOn = (db: Db) => ({ ...repositories(db, config), ...own })
  const needs = needsOn(store.db)
  const positions = sharedPositions(needs.measuring, edge)
  const explaining = explainPortsOn({
    installation: store.installation,
    clock,
    newId,
    reader: edge.reader,
    partitions: edge.log.partitions,
    config,
  })
  const secrets = openSecrets(secretsKey)
  const webhookDestinations = destinations(config.webhookAllowPrivate, config.host)
  const { shared } = edge
  return [
    openIngesting({
      ...parts,
      ...edge,
      traced: edge.tracing !== null,
      measuring: needs.measuring,
      customers: needs.customers,
      fingerprintKey: store.installation.fingerprintKey,
      backfillMax: backfillMax(config),
    }),
    ...shared((db) => customerRoutes({ ...needsOn(db), positions })),
    ...shared((db) => walletRoutes(needsOn(db))),
    ...shared((db) => portalSessions({ ...needsOn(db), secrets })),
    ...shared((db) => creditBalances({ ...needsOn(db), positions })),
    ...shared((db) => catalogRoutes({ ...needsOn(db), files: edge.files })),
    ...shared((db) => [
      ...checkoutRoutes(needsOn(db)),
      ...paymentRoutes(needsOn(db)),
      ...invoiceRoutes({ ...needsOn(db), papers: edge.papers, files: edge.files }),
    ]),
    ...shared((db) => moneyRoutes(needsOn(db))),
    ...shared((db) => subscriptionRoutes({ ...needsOn(db), positions })),
    ...shared((db) => discountRoutes({ ...needsOn(db), newCode: randomDiscountCode })),
    // Not through a share of the connections: it moves every account of its business.
    ...clockRoutes({ ...needs, onMoved: forgetKeys }),
    streamRoute(parts),
    ...shared((db) => webhookMessageRoutes({ ...needsOn(db), secrets })),
    ...shared((db) => webhooks({ ...needsOn(db), secrets, destinations: webhookDestinations })),
    ...shared((db) => {
      const { meters, voids } = needsOn(db)
      const meter = (businessId: string, mode: Mode, id: string) =>
        meters.get({ businessId, mode }, id)
      return events({
        ...explaining(db),
        retried: own.retried,
        voids,
        positions,
        meter,
        compileFilter,
      })
    }),
    ...shared((db) => explanationRoutes({ ...explaining(db), positions })),
  ]
}

/** The routes as they answer everybody. */
function servedAs(made: readonly Route[], tracing: Tracing | null): readonly Route[] {
  const careful = refusingMisspelled(made, describedRoutes)
  if (tracing === null) return careful
  return careful.map((each) => tracedRoute(each, tracing, eventTracesOf))
}
