import { join } from 'node:path'
import type { EngineData } from './compose-parts.ts'
import { archiving } from './engine/archive/archiving.ts'
import { batchesRetention } from './engine/archive/days.ts'
import type { Loop } from './engine/loop.ts'
import { openMeasuring } from './engine/measuring/measuring.ts'
import { reportTotals } from './engine/measuring/totals.ts'
import { openSettling } from './engine/settling.ts'
import { openBoundarySweep } from './engine/sweeps/boundaries.ts'
import { openVoidSweep } from './engine/sweeps/voids.ts'
import type { Delivery } from './engine/webhooks/delivery.ts'
import { openDelivery } from './engine/webhooks/delivery.ts'
import { limits } from './limits.ts'
import { openEmbeddedDedupe } from './parts/dedupe/embedded/dedupe.ts'
import type { Dedupe } from './parts/dedupe/port.ts'
import { openLmdbLogGroup } from './parts/event-log/lmdb/group.ts'
import type { LmdbLogReader } from './parts/event-log/lmdb/reader.ts'
import { openLmdbLogReader } from './parts/event-log/lmdb/reader.ts'
import type { SharedLog } from './parts/event-log/lmdb/shared.ts'
import { accounts } from './parts/store/postgres/accounts.ts'
import { archiveWriter } from './parts/store/postgres/archive.ts'
import { archiveStretches } from './parts/store/postgres/archive-stretches.ts'
import { logHold } from './parts/store/postgres/backup.ts'
import { batchMerging } from './parts/store/postgres/batches.ts'
import { boundaries } from './parts/store/postgres/boundaries.ts'
import type { Db } from './parts/store/postgres/client.ts'
import { openDb } from './parts/store/postgres/client.ts'
import { deliveries } from './parts/store/postgres/deliveries.ts'
import { ensureInstallation } from './parts/store/postgres/installation.ts'
import { measuring } from './parts/store/postgres/measuring.ts'
import { meters } from './parts/store/postgres/meters.ts'
import { outbox } from './parts/store/postgres/outbox.ts'
import { dayPartitions } from './parts/store/postgres/partitions.ts'
import { subscriptions } from './parts/store/postgres/subscriptions.ts'
import { voids } from './parts/store/postgres/voids.ts'
import { destinations } from './rules/facts/destination.ts'
import type { MeasureResult, MeasureTask } from './rules/meter/measure-types.ts'
import type { Checks } from './runtime/checks.ts'
import { down, fine } from './runtime/checks.ts'
import type { Clock } from './runtime/clock.ts'
import type { Lifecycle } from './runtime/lifecycle.ts'
import type { Logger } from './runtime/logger.ts'
import type { EngineMetrics } from './runtime/metrics.ts'
import { openPool } from './runtime/pool.ts'
import { openSecrets } from './runtime/secrets.ts'
import { createFingerprinter } from './std/fingerprint.ts'
import type { NewId } from './std/id.ts'

/** What the engine thread has before anything is composed. */
export interface EngineParts {
  readonly data: EngineData
  readonly clock: Clock
  readonly newId: NewId
  readonly logger: Logger
  readonly metrics: EngineMetrics
  readonly checks: Checks
  readonly life: Lifecycle
}

/** What the parts of the engine stand on. */
interface Ground {
  readonly db: Db
  readonly log: SharedLog
  readonly directory: string
  readonly reader: LmdbLogReader
  readonly fingerprintKey: Uint8Array
}

/**
 * What happens by itself: telling, settling, measuring and archiving. Each starts after what it
 * tells of its work; stopping goes the other way, so that what was measured last is still settled
 * and told.
 */
export async function composeEngine(parts: EngineParts): Promise<void> {
  const { data } = parts
  const ground = await openGround(parts)
  const delivery = data.roles.includes('delivery') ? openTelling(parts, ground) : null
  if (data.roles.includes('sweeps')) openVoids(parts, ground)
  if (data.roles.includes('billing')) {
    const settling = openSettle(parts, ground, delivery)
    await openMeasure(parts, ground, settling)
  }
  if (data.roles.includes('sweeps')) openSweeps(parts, ground, delivery)
  if (data.roles.includes('archive')) openArchive(parts, ground)
}

async function openGround(parts: EngineParts): Promise<Ground> {
  const { data, life, checks } = parts
  const db = openDb({ url: data.databaseUrl, connectionsMax: 12, name: 'sluice engine' })
  life.own('database connections', () => db.close())
  checks.register('store', async () => {
    await db.query({ text: 'select 1', values: [] })
    return fine
  })
  const log = data.shared['log'] as SharedLog
  const directory = join(data.config.dataDir, 'log')
  const reader = await openLmdbLogReader({ directory, shared: log })
  life.own('event log reader', () => reader.close())
  const { fingerprintKey } = await ensureInstallation(db)
  return { db, log, directory, reader, fingerprintKey }
}

function openTelling(
  { data, clock, logger, metrics, life }: EngineParts,
  { db }: Ground,
): Delivery {
  const delivery = openDelivery({
    outbox: outbox(db),
    deliveries: deliveries(db),
    secrets: openSecrets(data.secretsKey),
    destinations: destinations(data.config.webhookAllowPrivate),
    clock,
    logger,
    metrics: {
      attempted: (outcome) => metrics.webhookAttempts.add(1, { outcome }),
      pending: (count) => metrics.webhookPending.set(count, {}),
    },
  })
  life.own('webhooks', (withinMs) => delivery.stop(withinMs / 2))
  delivery.start()
  return delivery
}

function openSettle(
  { clock, newId, logger, metrics, life }: EngineParts,
  { db }: Ground,
  delivery: Delivery | null,
): Loop {
  const settling = openSettling({
    accounts: accounts(db),
    newId,
    clock,
    logger,
    metrics: {
      entries: (type, count) => metrics.creditEntries.add(count, { transaction_type: type }),
      settled: () => undefined,
    },
    onSettled: () => delivery?.nudge(),
  })
  life.own('settling', () => settling.stop())
  settling.start()
  return settling
}

function openSweeps(
  { clock, newId, logger, metrics, life }: EngineParts,
  { db }: Ground,
  delivery: Delivery | null,
): void {
  const sweep = openBoundarySweep({
    accounts: accounts(db),
    subscriptions: subscriptions(db),
    boundaries: boundaries(db),
    measuring: measuring(db),
    clock,
    newId,
    logger,
    wrote: (entries) => {
      for (const { type } of entries) metrics.creditEntries.add(1, { transaction_type: type })
    },
    onApplied: () => delivery?.nudge(),
  })
  life.own('boundaries', () => sweep.stop())
  sweep.start()
}

/** Settling looks by itself for what a fold leaves unsettled. */
function openVoids({ logger, life }: EngineParts, { db }: Ground): void {
  const sweep = openVoidSweep({ archive: archiveStretches(db), voids: voids(db), logger })
  life.own('voids', () => sweep.stop())
  sweep.start()
}

async function openMeasure(parts: EngineParts, ground: Ground, settling: Loop): Promise<void> {
  const { data, clock, logger, metrics, checks, life } = parts
  const { db, log, directory, reader, fingerprintKey } = ground
  const store = measuring(db)
  const dedupe = await openDedupe(parts, log)
  const pool = openPool<MeasureTask, MeasureResult>({
    workers: measureWorkers,
    entry: new URL('../workers/measure.js', import.meta.url),
  })
  life.own('workers', () => pool.close())
  const loop = openMeasuring({
    openGroup: (handler) => openLmdbLogGroup({ directory, shared: log, handler }),
    reader,
    dedupe,
    store,
    meters: meters(db),
    measure: (task) => pool.run(task),
    fingerprintKey,
    window: data.config.dedupeWindow,
    clock,
    logger,
    metrics: {
      counted: (totals) => {
        metrics.billingEvents.add(totals.billed, { result: 'billed' })
        metrics.billingEvents.add(totals.unmatched, { result: 'unmatched' })
        metrics.billingEvents.add(totals.duplicates, { result: 'duplicate' })
        metrics.billingEvents.add(totals.quarantined, { result: 'quarantined' })
      },
      committed: (freshness, batch) => {
        metrics.billingFreshness.observe(freshness, {})
        metrics.billingDuration.observe(batch, {})
      },
      healing: (on) => metrics.dedupeHealing.set(on ? 1 : 0, {}),
    },
    onCommit: () => settling.nudge(),
  })
  life.own('measuring', () => loop.stop())
  reportTotals({ store, reader, dedupe, metrics, partitions: loop.partitions })
  checks.register('measuring', async () => {
    const halted = (await store.checkpoints()).filter((each) => each.halted !== null)
    const [first] = halted
    return first === undefined
      ? fine
      : down(`Partition ${first.partition} is halted: ${first.halted}.`)
  })
  await loop.start()
}

/** One is enough for two cores: the other one belongs to the edge. */
const measureWorkers = 1

async function openDedupe({ data, life }: EngineParts, log: SharedLog): Promise<Dedupe> {
  const { dedupe: port } = data.ports
  if (port === undefined) throw new Error('The engine was started without the dedupe channel.')
  const dedupe = await openEmbeddedDedupe({
    directory: join(data.config.dataDir, 'dedupe'),
    partitions: log.partitions,
    windowUs: data.config.dedupeWindow,
    port,
  })
  life.own('dedupe', () => dedupe.close())
  return dedupe
}

const logKept = {
  bytesMax: limits.logKeptBytesMax,
  diskFreeMin: 2 * limits.diskReserveBytes,
}

function openArchive(
  { data, clock, logger, life }: EngineParts,
  { db, reader, fingerprintKey }: Ground,
): void {
  const fingerprinter = createFingerprinter(fingerprintKey)
  const archive = archiving(
    {
      archive: archiveWriter(db),
      reader,
      partitions: dayPartitions(db),
      batches: batchMerging(db),
      hold: logHold(db),
      clock,
      fingerprint: (businessId, mode, eventId) => {
        const [hi = 0, lo = 0] = fingerprinter.fingerprints(businessId, mode, [eventId])
        return [hi, lo]
      },
    },
    {
      retention: {
        batches: batchesRetention(data.config.dedupeWindow),
        archive: data.config.eventRetention,
      },
      dedupeWindow: data.config.dedupeWindow,
      trim: { keep: data.config.logRetention, excess: () => reader.excess(logKept) },
      report: {
        halted: (partition, reason) => logger.error({ partition, reason }, 'archive halted'),
        failed: (error) => logger.warn({ error }, 'a round of the archive failed'),
      },
    },
  )
  life.own('archive', () => archive.stop())
  archive.start()
}
