import { randomUUID } from 'node:crypto'
import { aloneIn } from '../engine/alone-by-lease.ts'
import { batchesRetention } from '../engine/archive/days.ts'
import type { Indexed } from '../engine/archive/indexing.ts'
import { rememberedFor } from '../engine/measuring/arrivals.ts'
import { limits } from '../limits.ts'
import { accounts } from '../parts/store/postgres/accounts/accounts.ts'
import { boundaries } from '../parts/store/postgres/accounts/boundaries.ts'
import { archiveWriter } from '../parts/store/postgres/archive/archive.ts'
import { archiveStretches } from '../parts/store/postgres/archive/archive-stretches.ts'
import { forgetting } from '../parts/store/postgres/archive/forgetting.ts'
import { logHold } from '../parts/store/postgres/audit/backup.ts'
import { businesses } from '../parts/store/postgres/catalog/businesses.ts'
import { creditEntitlements } from '../parts/store/postgres/catalog/credit-entitlements.ts'
import { customers } from '../parts/store/postgres/catalog/customers.ts'
import { meters } from '../parts/store/postgres/catalog/meters.ts'
import { products } from '../parts/store/postgres/catalog/products.ts'
import { subscriptions } from '../parts/store/postgres/catalog/subscriptions.ts'
import { changes } from '../parts/store/postgres/changes/changes.ts'
import { openDb } from '../parts/store/postgres/connection/client.ts'
import { takesChanges } from '../parts/store/postgres/connection/health.ts'
import { paymentRepositories } from '../parts/store/postgres/payments/payment-repositories.ts'
import { ensureInstallation } from '../parts/store/postgres/schema/installation.ts'
import { leases } from '../parts/store/postgres/telling/leases.ts'
import { batchMerging } from '../parts/store/postgres/usage/batches.ts'
import { measuring } from '../parts/store/postgres/usage/measuring.ts'
import { dayPartitions } from '../parts/store/postgres/usage/partitions.ts'
import { sealing } from '../parts/store/postgres/usage/sealing.ts'
import { voids } from '../parts/store/postgres/usage/voids.ts'
import type { BlockEvents, BlockIndex } from '../rules/archive/indexed-events.ts'
import type {
  MeasureAgainTask,
  MeasuredAgain,
  MeasureResult,
  MeasureTask,
} from '../rules/meter/measure-types.ts'
import { down, fine } from '../runtime/checks.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import { openPool } from '../runtime/pool.ts'
import { raise } from '../runtime/shared-signal.ts'
import { patiently, unhurried } from '../runtime/wait-for-servers.ts'
import { createFingerprinter } from '../std/fingerprint.ts'
import { millisecond } from '../std/instant.ts'
import { openEngineDedupe } from './dedupe.ts'
import { openEngineLog } from './log.ts'
import { needsLog } from './log-roles.ts'
import type { EngineStore, EngineThreadNeeds } from './parts.ts'
import { processors } from './processors.ts'
import { openFor } from './store.ts'
import { tellingDrivers } from './telling-drivers.ts'
import { openTracing, tracedBilling, tracedTelling } from './tracing.ts'
import type { ArchiveNeeds } from './wiring/archive.ts'
import type { BillingNeeds, MeasureWorkers } from './wiring/billing.ts'
import type { EngineWork } from './wiring/engine.ts'
import type { EngineLog } from './wiring/ground.ts'
import type { SweepNeeds } from './wiring/sweeps.ts'

/** Opens the drivers that the roles and settings of a server ask for. */
export async function openEngineDrivers(parts: EngineThreadNeeds): Promise<EngineWork> {
  const { roles, config } = parts.data
  const store = await openStore(parts)
  const log = needsLog(roles) ? await openLog(parts, store) : null
  const bills = roles.includes('billing') && log !== null
  const archives = roles.includes('archive') && log !== null
  const tracing = await openTracing({ ...parts, config })
  const traced = tracing === null ? null : { tracing, store, logger: parts.logger }
  const telling = roles.includes('delivery') ? tellingDrivers(parts, store) : null
  const billing = bills ? billingDrivers(parts, store, log) : null
  return {
    telling: telling === null || traced === null ? telling : tracedTelling(telling, traced),
    billing: billing === null || traced === null ? billing : tracedBilling(billing, traced),
    sweeps: roles.includes('sweeps') ? sweepDrivers(parts, store) : null,
    archive: archives ? archiveDrivers(parts, store, log) : null,
    retention:
      config.kafka !== null && log !== null
        ? { archive: archiveWriter(store.db), log, kept: limits.kafkaRetentionMs * millisecond }
        : null,
  }
}

async function openStore({ data, life, logger, checks }: EngineThreadNeeds): Promise<EngineStore> {
  const db = openDb({
    url: data.databaseUrl,
    connectionsMax: 12,
    name: 'sluice engine',
    deadlineMs: limits.engineStatementMs,
    allowedOff: data.config.databaseAllowOff,
  })
  life.own('database connections', () => db.close())
  checks.register('store', async () =>
    (await takesChanges(db)) ? fine : down('The database only reads.'),
  )
  // Names this engine; no other process has the same name.
  const holder = randomUUID()
  const held = leases(db)
  life.own('leases', () => held.release(holder))
  const waiting = { what: 'the database', logger, ...unhurried }
  const installation = await patiently(waiting, () => ensureInstallation(db))
  return { db, installation, alone: aloneIn(held, holder) }
}

async function openLog(
  { data, logger, life, checks }: EngineThreadNeeds,
  { installation }: EngineStore,
): Promise<EngineLog> {
  const log = await openEngineLog({ data, installation, logger, life })
  checks.register('log', async () => {
    await log.reader.bounds(0)
    return fine
  })
  return log
}

function billingDrivers(
  parts: EngineThreadNeeds,
  { db, installation }: EngineStore,
  log: EngineLog,
): BillingNeeds {
  return {
    accounts: accounts(db),
    changes: changes(db),
    measuring: measuring(db),
    meters: meters(db),
    log,
    openDedupe: () => openEngineDedupe({ ...parts, installation }),
    openWorkers: () => openWorkers(parts),
    onMeasured: () => raise(parts.data.measured),
    fingerprintKey: installation.fingerprintKey,
    window: rememberedFor(parts.data.config.dedupeWindow),
  }
}

function openWorkers({ life }: EngineThreadNeeds): MeasureWorkers {
  const pool = openPool<MeasureTask | MeasureAgainTask, MeasureResult | MeasuredAgain>({
    workers: measureWorkers,
    entry: new URL('../../workers/measure.js', import.meta.url),
  })
  life.own('workers', () => pool.close())
  return {
    // The worker's answer depends on the kind of the task.
    measure: (task) => pool.run(task) as Promise<MeasureResult>,
    measureAgain: (task) => pool.run(task) as Promise<MeasuredAgain>,
  }
}

/** One worker is enough for two cores, because the other core belongs to the edge. */
const measureWorkers = 1

const sweepDrivers = ({ data }: EngineThreadNeeds, { db, alone }: EngineStore): SweepNeeds => ({
  rapidUpTo: data.config.rapidResolutionMax,
  accounts: accounts(db),
  changes: changes(db),
  businesses: businesses(db),
  subscriptions: subscriptions(db, openFor(data.config)),
  customers: customers(db),
  meters: meters(db),
  products: products(db),
  creditEntitlements: creditEntitlements(db, openFor(data.config)),
  ...paymentRepositories(db),
  processors,
  boundaries: boundaries(db),
  measuring: measuring(db),
  sealing: sealing(db),
  voids: { archive: archiveStretches(db), voids: voids(db) },
  alone,
})

function archiveDrivers(
  { data, life }: EngineThreadNeeds,
  { db, installation }: EngineStore,
  log: EngineLog,
): ArchiveNeeds {
  const { dedupeWindow, eventRetention, logRetention } = data.config
  const { identity } = createFingerprinter(installation.fingerprintKey)
  const { excess } = log
  const window = rememberedFor(dedupeWindow)
  return {
    log,
    archive: archiveWriter(db),
    indexed: openIndexing(life),
    partitions: dayPartitions(db, batchesRetention(window)),
    batches: batchMerging(db),
    hold: logHold(db),
    forgetting: forgetting(db),
    fingerprint: (businessId, mode, eventId) => {
      const [hi, lo, rest] = identity(businessId, mode, eventId)
      return [hi, lo, rest]
    },
    retention: { batches: batchesRetention(window), archive: eventRetention },
    dedupeWindow: window,
    trim: excess === null ? null : { keep: logRetention, excess },
  }
}

/**
 * A thread of its own, since reading all lines of a block takes milliseconds, during which nothing
 * would be measured or settled. What is measured can be read before it is archived, so it gives way
 * to all other threads.
 */
function openIndexing(life: Lifecycle): Indexed {
  const pool = openPool<BlockEvents, BlockIndex>({
    workers: 1,
    entry: new URL('../../workers/indexed-events.js', import.meta.url),
    idleMs: limits.indexingIdleMs,
    givesWay: true,
  })
  life.own('indexing', () => pool.close())
  return (events) => pool.run(events)
}
