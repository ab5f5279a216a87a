import { explainPorts } from '../../../src/compose/explain.ts'
import { creditBalances } from '../../../src/edge/api/credit-balances.ts'
import { creditEntitlementRoutes } from '../../../src/edge/api/credit-entitlements.ts'
import { customerRoutes } from '../../../src/edge/api/customers.ts'
import { discountRoutes } from '../../../src/edge/api/discounts.ts'
import { explanationRoutes } from '../../../src/edge/api/explanations.ts'
import { meterRoutes } from '../../../src/edge/api/meters.ts'
import { productRoutes } from '../../../src/edge/api/products.ts'
import { subscriptionRoutes } from '../../../src/edge/api/subscriptions.ts'
import { archiveNext } from '../../../src/engine/archive/archiver.ts'
import { firsts } from '../../../src/engine/measuring/first-of-id.ts'
import { incrementOf } from '../../../src/engine/measuring/increment.ts'
import { accountIdOf } from '../../../src/operations/accounts/account-id.ts'
import type { LogRecord } from '../../../src/parts/event-log/port.ts'
import { accounts } from '../../../src/parts/store/postgres/accounts/accounts.ts'
import { boundaries } from '../../../src/parts/store/postgres/accounts/boundaries.ts'
import { ledger } from '../../../src/parts/store/postgres/accounts/ledger.ts'
import { archiveWriter } from '../../../src/parts/store/postgres/archive/archive.ts'
import { businesses } from '../../../src/parts/store/postgres/catalog/businesses.ts'
import { creditEntitlements } from '../../../src/parts/store/postgres/catalog/credit-entitlements.ts'
import { customers } from '../../../src/parts/store/postgres/catalog/customers.ts'
import { discounts } from '../../../src/parts/store/postgres/catalog/discounts.ts'
import { meters } from '../../../src/parts/store/postgres/catalog/meters.ts'
import { products } from '../../../src/parts/store/postgres/catalog/products.ts'
import { subscriptions } from '../../../src/parts/store/postgres/catalog/subscriptions.ts'
import { changes } from '../../../src/parts/store/postgres/changes/changes.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { ensureInstallation } from '../../../src/parts/store/postgres/schema/installation.ts'
import { measuring } from '../../../src/parts/store/postgres/usage/measuring.ts'
import { changeOf } from '../../../src/rules/accounts/change.ts'
import { packFingerprints } from '../../../src/rules/archive/fingerprints.ts'
import { verdicts } from '../../../src/rules/archive/line.ts'
import { assign } from '../../../src/rules/meter/assign.ts'
import { compileCatalogs } from '../../../src/rules/meter/catalog.ts'
import { measure } from '../../../src/rules/meter/measure.ts'
import { routeMarks } from '../../../src/rules/meter/route-mark.ts'
import type { LogLine } from '../../../src/rules/meter/usage-event.ts'
import { randomDiscountCode } from '../../../src/runtime/discount-code.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { createFingerprinter } from '../../../src/std/fingerprint.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { after, day, formatInstant, hour, instantOf } from '../../../src/std/instant.ts'
import type { Call } from '../edge/call.ts'
import { caller } from '../edge/call.ts'
import { memoryLog } from '../event-log/memory-log.ts'
import { scratchDatabase } from '../store/database.ts'

/** A usage event of a test; the timestamp is the moment of ingestion unless it says another. */
export interface SentEvent {
  readonly id: string
  readonly customer: string
  readonly name: string
  readonly at?: Instant
  readonly metadata?: Readonly<Record<string, unknown>>
}

const partitions = 2

/**
 * Ingest → measure → settle → archive over a scratch database, each step when a test says so: the
 * rules, repositories and operations of the server, a log in memory, and none of its loops.
 */
export async function openPipeline() {
  const scratch = await scratchDatabase()
  const { db } = scratch
  const installation = await ensureInstallation(db)
  const newId = randomIds()
  const clock = {
    at: instantOf(1_796_000_000_000_000),
    now: () => clock.at,
    believed: () => clock.at,
  }
  const log = memoryLog(partitions)
  const known = new Set<string>()
  const store = {
    accounts: accounts(db),
    changes: changes(db),
    boundaries: boundaries(db),
    businesses: businesses(db),
    measuring: measuring(db),
    meters: meters(db),
  }
  const explaining = explainPorts({
    store: { db, installation },
    clock,
    newId,
    reader: log,
    partitions,
    config: { eventRetention: 90 * day, dedupeWindow: day },
  })
  const fingerprinter = createFingerprinter(installation.fingerprintKey)
  const positions = { measuring: store.measuring, log: { identity: 'memory', partitions } }
  const needs = {
    ...store,
    customers: customers(db),
    creditEntitlements: creditEntitlements(db),
    entitlements: creditEntitlements(db),
    discounts: discounts(db),
    products: products(db),
    subscriptions: subscriptions(db),
    ledger: ledger(db),
    newId,
    wrote: () => undefined,
    clock,
    positions,
  }
  const routes = [
    ...customerRoutes(needs),
    ...meterRoutes(needs),
    ...creditEntitlementRoutes(needs),
    ...productRoutes(needs),
    ...subscriptionRoutes(needs),
    ...discountRoutes({ ...needs, newCode: randomDiscountCode }),
    ...creditBalances(needs),
    ...explanationRoutes({ ...explaining, positions }),
  ]
  for (let each = 0; each < partitions; each += 1) {
    await store.measuring.take(each, 'memory', 'ns')
  }
  return { db, clock, log, explaining, business, pass, ingest, measureAll, settle, archive, drop }

  async function business(): Promise<{ readonly businessId: string; call(): Call }> {
    const businessId = newId('bus')
    await db.query(sql`
      with business as (
        insert into businesses (business_id, name, rate_tier, created_at)
        values (${businessId}, 'Test', '0', now())
        returning business_id
      )
      insert into business_modes (business_id, mode)
      select business_id, mode from business, unnest(array['test', 'live']) as mode`)
    return { businessId, call: () => caller(routes, { businessId, at: clock.now() }) }
  }

  function pass(microseconds: number): void {
    clock.at = after(clock.at, microseconds)
  }

  /** One record a partition. */
  function ingest(businessId: string, events: readonly SentEvent[]): void {
    const lines = new Map<number, string[]>()
    for (const { id, customer, name, at, metadata } of events) {
      const line: LogLine = {
        business_id: businessId,
        mode: 'test',
        event_id: id,
        customer_id: customer,
        event_name: name,
        timestamp: formatInstant(at ?? clock.now()),
        ...(at !== undefined && at < after(clock.now(), -hour)
          ? { backfilled_at: formatInstant(clock.now()) }
          : {}),
        ...(metadata === undefined ? {} : { metadata }),
      }
      const [, , , place] = explaining.identity(businessId, 'test', id)
      const partition = explaining.partitionOf(place, partitions)
      lines.set(partition, [...(lines.get(partition) ?? []), `${JSON.stringify(line)}\n`])
    }
    for (const [partition, own] of lines) {
      log.append({ partition, value: Buffer.from(own.join('')), events: own.length }, clock.now())
    }
  }

  async function measureAll(): Promise<void> {
    for (const { partition, nextOffset, epoch } of await store.measuring.checkpoints()) {
      const end = (await log.bounds(partition)).end
      const records = await log.read(partition, nextOffset, Number.POSITIVE_INFINITY)
      if (records.length > 0) await commit({ partition, epoch, start: nextOffset, end, records })
    }
  }

  async function commit(slice: {
    readonly partition: number
    readonly epoch: number
    readonly start: number
    readonly end: number
    readonly records: readonly LogRecord[]
  }): Promise<void> {
    const { partition, epoch, start, end } = slice
    const scopes = await db.query<{ businessId: string; mode: 'test' }>(
      sql`select business_id as "businessId", mode from business_modes where mode = 'test'`,
    )
    const snapshots = await store.meters.catalogOf(scopes)
    const catalogOf = compileCatalogs(snapshots.map(({ catalog }) => catalog))
    const result = measure({ slices: [slice] }, fingerprinter, catalogOf)
    const fresh = judged(result.fingerprints)
    const customersSeen = await store.measuring.routes(result.groups)
    const assigned = assign({
      result,
      fresh,
      routesOf: (businessId, _mode, customerId) =>
        customersSeen.find(
          (found) => found.customerId === customerId && found.businessId === businessId,
        )?.routes ?? [],
      linksOf: (businessId) =>
        snapshots.find(({ catalog }) => catalog.businessId === businessId)?.links ?? [],
    })
    const verdictOf = Uint8Array.from(fresh, (is, event) => {
      if (is !== 1) return verdicts.duplicate
      return assigned.billed[event] === 1 ? verdicts.billed : verdicts.unmatched
    })
    const marks = routeMarks(result, ({ customerId, businessId }) => {
      const seen = customersSeen.find(
        (found) => found.customerId === customerId && found.businessId === businessId,
      )
      return seen?.version ?? null
    })
    const count = (verdict: number) => verdictOf.filter((own) => own === verdict).length
    const answer = await store.measuring.commit({
      slices: [
        {
          partition,
          epoch,
          start,
          end,
          logAt: clock.now(),
          ran: 0,
          digest: null,
          events: result.events,
          billed: count(verdicts.billed),
          unmatched: count(verdicts.unmatched),
          duplicates: count(verdicts.duplicate),
          quarantined: 0,
          fingerprints: packFingerprints(result.fingerprints),
          verdicts: verdictOf,
          routeMarks: marks,
        },
      ],
      usage: assigned.usage.map(incrementOf),
      accounts: assigned.usage.flatMap(({ entitlementId, ...usage }) =>
        entitlementId === null ? [] : [{ ...usage, entitlementId }],
      ),
      catalogs: result.catalogs,
      routes: customersSeen,
      quarantined: [],
    })
    if (answer.kind !== 'committed') throw new Error(`Measuring answered ${answer.kind}.`)
  }

  function judged(fingerprints: Uint32Array): Uint8Array {
    const names = Array.from({ length: fingerprints.length / 3 }, (_, event) =>
      fingerprints.slice(event * 3, event * 3 + 3).join(),
    )
    const repeats = Uint8Array.from(names, (name) => (known.has(name) ? 1 : 0))
    for (const name of names) known.add(name)
    return firsts(fingerprints, repeats)
  }

  async function settle(): Promise<void> {
    const views = await store.accounts.load(await store.accounts.due(100, 0, null))
    const changes = views.map((view) =>
      changeOf({ newId, accountIdOf }, view, {
        at: clock.now(),
        decide: () => null,
        idempotencyKey: null,
      }),
    )
    await store.changes.commitEach(changes)
  }

  async function archive(): Promise<void> {
    const writer = archiveWriter(db)
    for (const position of await writer.positions()) {
      const step = await archiveNext({ archive: writer, reader: log }, position)
      if (step.kind === 'halted') throw new Error(step.reason)
    }
  }

  async function drop(): Promise<void> {
    await scratch.drop()
  }
}

export type Pipeline = Awaited<ReturnType<typeof openPipeline>>
