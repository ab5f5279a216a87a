import { archiveNext } from '../../../src/engine/archive/archiver.ts'
import { mergeNext } from '../../../src/engine/archive/merger.ts'
import type { FoldAgainOutcome } from '../../../src/operations/events/fold-again.ts'
import { foldAgain } from '../../../src/operations/events/fold-again.ts'
import type { VoidedEvent } from '../../../src/operations/events/void-event.ts'
import { voidEvent } from '../../../src/operations/events/void-event.ts'
import { archiveWriter } from '../../../src/parts/store/postgres/archive/archive.ts'
import { archiveStretches } from '../../../src/parts/store/postgres/archive/archive-stretches.ts'
import { archiveReader } from '../../../src/parts/store/postgres/archive/archive-view.ts'
import { businesses } from '../../../src/parts/store/postgres/catalog/businesses.ts'
import { stretchesJson } from '../../../src/parts/store/postgres/catalog/stretches.ts'
import { timestamptz } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { measuring } from '../../../src/parts/store/postgres/usage/measuring.ts'
import { voids } from '../../../src/parts/store/postgres/usage/voids.ts'
import type { Link } from '../../../src/rules/meter/route.ts'
import type { UsageDelta } from '../../../src/rules/meter/usage-delta.ts'
import type { LogLine } from '../../../src/rules/meter/usage-event.ts'
import { measuredInto } from '../../../src/rules/meter/void.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { after, formatInstant, hour, instantOf, second } from '../../../src/std/instant.ts'
import { rowName } from '../../model/usage.ts'
import { memoryLog } from '../event-log/memory-log.ts'
import { indexedHere } from '../measuring/indexed-here.ts'
import {
  testFingerprint,
  testIdentity,
  testPartition,
  testPartitionOf,
} from '../measuring/measured-log.ts'
import { measuringOn } from '../measuring/measuring-on.ts'
import type { ScratchCatalog } from '../store/catalog-routes.ts'
import { catalogOnScratch } from '../store/catalog-routes.ts'
import { stretchFrom } from './links.ts'

export const partitions = 2
export const customers = ['cus_1', 'cus_2'] as const

/** An event that was measured, and the rows that it went into then. */
export interface Taken {
  readonly line: LogLine
  readonly receivedAt: Instant
  readonly deltas: readonly UsageDelta[]
}

/** One scratch database for a suite. */
export async function voidGround() {
  const catalog = await catalogOnScratch()
  return { catalog, world: () => voidWorld(catalog), drop: () => catalog.drop() }
}

/**
 * One business, from its first meter on, with the real catalog, measuring, archive and voids. Time
 * begins in the middle of a month, so that no cycle ends unless a test means it to.
 */
async function voidWorld(catalog: ScratchCatalog) {
  const { db, clock } = catalog
  clock.at = instantOf(1_792_000_000 * second)
  await db.query(sql`
    truncate batches, checkpoints, quarantine, archive_blocks, archive_index, archive_checkpoints,
      usage, unsettled, voids, void_folds`)
  const log = memoryLog(partitions)
  const { id: businessId, call } = await catalog.business()
  const scope = { businessId, mode: 'test' } as const
  for (const customerId of customers) {
    await db.query(sql`
      insert into customers (business_id, mode, customer_id, email, name, created_at, updated_at)
      values (${businessId}, 'test', ${customerId}, 'a@example.com', 'A', now(), now())`)
  }
  const measuringLoop = await measuringOn(db, log, clock)
  const store = voids(db)
  const [writer, indexed] = [archiveWriter(db), indexedHere]
  const archiving = { archive: writer, reader: log, fingerprint: testFingerprint, indexed }
  const waiting: { readonly line: LogLine; readonly receivedAt: Instant }[] = []
  const taken = new Map<string, Taken>()
  let subscriptions = 0
  return {
    ...scope,
    db,
    clock,
    log,
    voids: store,
    taken,
    call: () => call.as({ at: clock.at }),
    subscribe,
    endSubscription,
    pauseSubscription,
    restretch,
    send,
    measure,
    archive,
    merge,
    voidOf,
    folds,
    usageRows,
    ports: ports(),
  }

  function ports() {
    return {
      archive: archiveReader(db),
      voids: store,
      businesses: businesses(db),
      clock,
      reader: log,
      partitions,
      identity: testIdentity,
      partitionOf: testPartitionOf,
      eventRetention: 90 * 86_400_000_000,
    }
  }

  async function subscribe(customerId: string, links: readonly Link[]): Promise<string> {
    subscriptions += 1
    const id = `sub_${businessId}_${subscriptions}`
    const stretches = [stretchFrom(clock.at, clock.at, links)]
    const row = {
      business_id: businessId,
      mode: 'test',
      subscription_id: id,
      customer_id: customerId,
      product_id: 'pdt_1',
      brand_id: 'bra_1',
      status: 'active',
      quantity: 1,
      currency: 'USD',
      recurring_pre_tax_amount: 0,
      billing: {},
      metadata: {},
      details: {},
      credit_cart: [],
      trial_period_days: 0,
      pauses: [],
      stretches: JSON.parse(stretchesJson(stretches)) as unknown,
      activated_at: timestamptz(clock.at),
      previous_billing_date: timestamptz(clock.at),
      next_billing_date: timestamptz(clock.at),
      created_at: timestamptz(clock.at),
      updated_at: timestamptz(clock.at),
      version: 1,
    }
    await db.query(sql`select write_subscriptions(${JSON.stringify([row])}::jsonb)`)
    return id
  }

  async function endSubscription(id: string): Promise<void> {
    await changeSubscription(id, sql`ended = ${timestamptz(clock.at)}`)
  }

  async function pauseSubscription(id: string): Promise<void> {
    const pauses = JSON.stringify([{ from: timestamptz(clock.at), to: null }])
    await changeSubscription(id, sql`pauses = ${pauses}::jsonb`)
  }

  /** Gives it new terms from now on: another rate, and with `anchored` also a cycle of its own. */
  async function restretch(id: string, links: readonly Link[], anchored: boolean): Promise<void> {
    const known = (await store.stretches(scope, [id])).get(id) ?? []
    const anchor = anchored ? clock.at : (known.at(-1)?.anchor ?? clock.at)
    const stretches = [
      ...known.filter(({ from }) => from < clock.at),
      stretchFrom(clock.at, anchor, links),
    ]
    await changeSubscription(id, sql`stretches = ${stretchesJson(stretches)}::jsonb`)
  }

  /** Changes the row first and the version after it: what is kept must not depend on the order. */
  async function changeSubscription(id: string, change: ReturnType<typeof sql>): Promise<void> {
    await db.transaction(async (tx) => {
      const [row] = await tx.query<{ customer_id: string }>(sql`
        update subscriptions set ${change} where subscription_id = ${id} returning customer_id`)
      await tx.query(sql`
        update customers set routes_version = routes_version + 1
        where (business_id, mode, customer_id)
          = (${businessId}, 'test', ${row?.customer_id ?? ''})`)
    })
  }

  /** Appends one record to each partition, as the edge packs them. */
  function send(sent: readonly Sent[]): void {
    const lines = sent.map(lineOf)
    for (let partition = 0; partition < partitions; partition += 1) {
      const own = lines.filter((line) => partitionOf(line) === partition)
      if (own.length === 0) continue
      const value = Buffer.from(own.map((line) => `${JSON.stringify(line)}\n`).join(''))
      log.append({ partition, value, events: own.length }, clock.at)
    }
    waiting.push(...lines.map((line) => ({ line, receivedAt: clock.at })))
  }

  function lineOf({ lead = 0, ...event }: Sent): LogLine {
    const timestamp = formatInstant(after(clock.at, lead))
    const late = lead < -hour ? { backfilled_at: formatInstant(clock.at) } : {}
    return { business_id: businessId, mode: 'test', ...event, timestamp, ...late }
  }

  /** Measures everything, and notes which rows the catalog of now puts each event into. */
  async function measure(): Promise<void> {
    await measuringLoop.step()
    const [snapshot] = await catalog.meters.catalogOf([scope])
    const keys = customers.map((customerId) => ({ ...scope, customerId }))
    const routes = await measuring(db).routes(keys)
    for (const { line, receivedAt } of waiting.splice(0)) {
      if (taken.has(line.event_id)) continue
      const under = {
        meters: snapshot?.catalog.meters ?? [],
        links: snapshot?.links ?? [],
        routes: routes.find((of) => of.customerId === line.customer_id)?.routes ?? [],
      }
      const one = { ...scope, lines: [JSON.stringify(line)], receivedAt }
      taken.set(line.event_id, { line, receivedAt, deltas: measuredInto(one, under) })
    }
  }

  async function archive(): Promise<void> {
    for (const position of await writer.positions()) {
      await archiveNext(archiving, position)
    }
  }

  async function merge(): Promise<void> {
    for (let partition = 0; partition < partitions; partition += 1) {
      while (await mergeNext(archiving, partition));
    }
  }

  function voidOf(eventId: string, reason = 'a mistake'): Promise<VoidedEvent> {
    return voidEvent(ports(), { owner: scope, eventId, reason })
  }

  /** Tries every row that waits once, whether it is due or not. */
  async function folds(): Promise<readonly FoldAgainOutcome[]> {
    await db.query(sql`update void_folds set due_at = now()`)
    const rows = await store.due(1_000)
    const stretches = archiveStretches(db)
    const outcomes: FoldAgainOutcome[] = []
    for (const row of rows)
      outcomes.push(await foldAgain({ archive: stretches, voids: store }, row))
    return outcomes
  }

  /** Rows of usage in the model's form: by the row's name, its events and its value. */
  async function usageRows(): Promise<Map<string, string>> {
    const rows = await db.query<UsageRow>(sql`
      select customer_id, route_id, meter_id, entitlement_id, cycle_at, segment_at, log_hour,
        events, (value * 1000000000000000000)::numeric(60, 0) as value
      from usage`)
    return sorted(rows.map((row) => [nameOf(row), `${row.events} ${row.value}`]))
  }
}

export type VoidWorld = Awaited<ReturnType<typeof voidWorld>>

export interface Sent {
  readonly event_id: string
  readonly customer_id: string
  readonly event_name: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /** How far its timestamp is ahead of its receipt. */
  readonly lead?: number
}

interface UsageRow {
  readonly customer_id: string
  readonly route_id: string
  readonly meter_id: string
  readonly entitlement_id: string
  readonly cycle_at: Instant
  readonly segment_at: Instant
  readonly log_hour: number
  readonly events: number
  readonly value: string
}

const nameOf = (row: UsageRow): string =>
  rowName([
    row.customer_id,
    row.route_id,
    row.meter_id,
    row.entitlement_id,
    row.cycle_at,
    row.segment_at,
    row.log_hour,
  ])

export const nameOfDelta = (delta: UsageDelta): string =>
  rowName([
    delta.customerId,
    delta.routeId,
    delta.meterId,
    delta.entitlementId ?? '',
    delta.cycleAt,
    delta.segmentAt,
    delta.logHour,
  ])

export const sorted = (rows: readonly (readonly [string, string])[]): Map<string, string> =>
  new Map(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)))

const partitionOf = (line: LogLine): number => testPartition(line, partitions)
