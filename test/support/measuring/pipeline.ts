import { explainPorts } from '../../../src/compose/explain.ts'
import { repositories } from '../../../src/compose/store.ts'
import { creditBalances } from '../../../src/edge/api/credit-balances.ts'
import { creditEntitlementRoutes } from '../../../src/edge/api/credit-entitlements.ts'
import { customerRoutes } from '../../../src/edge/api/customers.ts'
import { discountRoutes } from '../../../src/edge/api/discounts.ts'
import { explanationRoutes } from '../../../src/edge/api/explanations.ts'
import { meterRoutes } from '../../../src/edge/api/meters.ts'
import { productRoutes } from '../../../src/edge/api/products.ts'
import { subscriptionRoutes } from '../../../src/edge/api/subscriptions.ts'
import { archiveNext } from '../../../src/engine/archive/archiver.ts'
import { limits } from '../../../src/limits.ts'
import { accountIdOf } from '../../../src/operations/accounts/account-id.ts'
import { archiveWriter } from '../../../src/parts/store/postgres/archive/archive.ts'
import { ensureInstallation } from '../../../src/parts/store/postgres/schema/installation.ts'
import { changeOf } from '../../../src/rules/accounts/change.ts'
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
import { newBusiness } from '../store/new-business.ts'
import { indexedHere } from './indexed-here.ts'
import { measuringOn } from './measuring-on.ts'
import { untold } from './untold.ts'

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
 * server's own repositories, routes, measuring and archiving, and a log in memory. The server's
 * wiring (`compose/wiring/`) starts loops that go on by themselves, so this has none of it.
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
  const store = repositories(db, { dedupeWindow: limits.sealAfter })
  const explaining = explainPorts({
    store: { db, installation },
    clock,
    newId,
    reader: log,
    partitions,
    config: { eventRetention: 90 * day, dedupeWindow: day },
  })
  const fingerprinter = createFingerprinter(installation.fingerprintKey)
  const { step: measureAll } = await measuringOn(db, log, { ...clock, fingerprinter })
  const scope = { identity: 'memory', partitions }
  const positions = { measuring: store.measuring, log: scope, news: untold() }
  const needs = {
    ...store,
    newId,
    wrote: () => undefined,
    clock,
    publicUrl: null,
    downloads: { sign: () => 'token' },
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
  return { db, clock, log, explaining, business, pass, ingest, measureAll, settle, archive, drop }

  async function business(): Promise<{ readonly businessId: string; call(): Call }> {
    const businessId = await newBusiness(db, newId('bus'))
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
      const step = await archiveNext(
        { archive: writer, reader: log, indexed: indexedHere },
        position,
      )
      if (step.kind === 'halted') throw new Error(step.reason)
    }
  }

  async function drop(): Promise<void> {
    await scratch.drop()
  }
}

export type Pipeline = Awaited<ReturnType<typeof openPipeline>>
