import { randomUUID } from 'node:crypto'
import { aloneIn } from '../engine/alone-by-lease.ts'
import { archiving } from '../engine/archive/archiving.ts'
import { batchesRetention } from '../engine/archive/days.ts'
import { watchRetention } from '../engine/log-retention.ts'
import { rememberedFor } from '../engine/measuring/arrivals.ts'
import { openMeasuring } from '../engine/measuring/measuring.ts'
import { countedBy } from '../engine/measuring/metrics.ts'
import { reportTotals } from '../engine/measuring/totals.ts'
import { openSettling } from '../engine/settling.ts'
import { openBoundarySweep } from '../engine/sweeps/boundaries.ts'
import { openSealing } from '../engine/sweeps/sealing.ts'
import { openVoidSweep } from '../engine/sweeps/voids.ts'
import type { Delivery } from '../engine/webhooks/delivery.ts'
import { limits } from '../limits.ts'
import type { Share } from '../parts/store/accounts.ts'
import { accounts } from '../parts/store/postgres/accounts/accounts.ts'
import { boundaries } from '../parts/store/postgres/accounts/boundaries.ts'
import { archiveWriter } from '../parts/store/postgres/archive/archive.ts'
import { archiveStretches } from '../parts/store/postgres/archive/archive-stretches.ts'
import { logHold } from '../parts/store/postgres/audit/backup.ts'
import { businesses } from '../parts/store/postgres/catalog/businesses.ts'
import { meters } from '../parts/store/postgres/catalog/meters.ts'
import { subscriptions } from '../parts/store/postgres/catalog/subscriptions.ts'
import { changes } from '../parts/store/postgres/changes/changes.ts'
import { openDb } from '../parts/store/postgres/connection/client.ts'
import { takesChanges } from '../parts/store/postgres/connection/health.ts'
import { ensureInstallation } from '../parts/store/postgres/schema/installation.ts'
import { leases } from '../parts/store/postgres/telling/leases.ts'
import { batchMerging } from '../parts/store/postgres/usage/batches.ts'
import { measuring } from '../parts/store/postgres/usage/measuring.ts'
import { dayPartitions } from '../parts/store/postgres/usage/partitions.ts'
import { sealing } from '../parts/store/postgres/usage/sealing.ts'
import { voids } from '../parts/store/postgres/usage/voids.ts'
import type {
  MeasureAgainTask,
  MeasuredAgain,
  MeasureResult,
  MeasureTask,
} from '../rules/meter/measure-types.ts'
import { down, fine } from '../runtime/checks.ts'
import type { Loop } from '../runtime/loop.ts'
import { openPool } from '../runtime/pool.ts'
import { patiently, unhurried } from '../runtime/wait-for-servers.ts'
import { createFingerprinter } from '../std/fingerprint.ts'
import { formatInstant, millisecond } from '../std/instant.ts'
import { openEngineDedupe } from './dedupe.ts'
import { openForgettingOf } from './forgetting.ts'
import type { EngineLog } from './log.ts'
import { needsLog, openEngineLog } from './log.ts'
import type { EngineParts, Ground } from './parts.ts'
import { openTelling } from './telling.ts'

/**
 * Composes what runs by itself: telling, settling, measuring and archiving. A part starts after
 * those that it notifies, and they stop in reverse order, so that what was measured last is still
 * settled and told.
 */
export async function composeEngine(parts: EngineParts): Promise<void> {
  const { roles } = parts.data
  const ground = await openGround(parts)
  const log = needsLog(roles) ? await openLog(parts, ground) : null
  const delivery = roles.includes('delivery') ? openTelling(parts, ground) : null
  if (roles.includes('sweeps')) openVoids(parts, ground)
  if (roles.includes('billing') && log !== null) {
    await openBilling(parts, { ...ground, log }, delivery)
  }
  if (roles.includes('sweeps')) openSweeps(parts, ground, delivery)
  if (roles.includes('archive') && log !== null) {
    openArchive(parts, { ...ground, log })
    openForgettingOf(parts, ground)
  }
  if (parts.data.config.kafka !== null && log !== null) openRetention(parts, { ...ground, log })
}

/** Watches Kafka's retention. (The embedded log deletes nothing that is still needed.) */
function openRetention(
  { clock, logger, metrics, checks, life }: EngineParts,
  { db, log }: LogGround,
): void {
  const watch = watchRetention({
    archive: archiveWriter(db),
    reader: log.reader,
    retention: limits.kafkaRetentionMs * millisecond,
    clock,
    logger,
    overdue: (step, partitions) => metrics.overduePartitions.set(partitions, { step }),
  })
  checks.register('retention', watch.check)
  life.own('retention', () => watch.stop())
  watch.start()
}

async function openGround({ data, life, logger, checks }: EngineParts): Promise<Ground> {
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
  const holder = randomUUID()
  life.own('leases', () => leases(db).release(holder))
  const waiting = { what: 'the database', logger, ...unhurried }
  return { db, installation: await patiently(waiting, () => ensureInstallation(db)), holder }
}

/** What roles with an event log need. */
interface LogGround extends Ground {
  readonly log: EngineLog
}

async function openLog({ data, logger, life, checks }: EngineParts, ground: Ground) {
  const partitions = ground.installation.partitions ?? 1
  const log = await openEngineLog({ data, partitions, logger, life })
  checks.register('log', async () => {
    await log.reader.bounds(0)
    return fine
  })
  return log
}

/** Settling divides the accounts between processes as measuring divides the partitions. */
async function openBilling(
  parts: EngineParts,
  ground: LogGround,
  delivery: Delivery | null,
): Promise<void> {
  let held: (() => Share) | null = null
  const settling = openSettle(parts, ground, { delivery, share: () => held?.() ?? null })
  const measured = await openMeasure(parts, ground, settling)
  const { partitions: of } = ground.log.reader
  held = () => ({ slots: measured.held().map(({ partition }) => partition), of })
}

interface SettleNeeds {
  readonly delivery: Delivery | null
  readonly share: () => Share | null
}

function openSettle(
  { clock, newId, logger, metrics, life }: EngineParts,
  { db }: Ground,
  { delivery, share }: SettleNeeds,
): Loop {
  const settling = openSettling({
    accounts: accounts(db),
    changes: changes(db),
    share,
    newId,
    clock,
    logger,
    metrics: {
      entries: (type, count) => metrics.creditEntries.add(count, { transaction_type: type }),
      settled: () => undefined,
      retried: (count) => metrics.changeRetries.add(count, { operation: 'settle' }),
    },
    onSettled: () => delivery?.nudge(),
  })
  life.own('settling', () => settling.stop())
  settling.start()
  return settling
}

function openSweeps(
  { clock, newId, logger, metrics, life }: EngineParts,
  { db, holder }: Ground,
  delivery: Delivery | null,
): void {
  const sweep = openBoundarySweep({
    accounts: accounts(db),
    changes: changes(db),
    businesses: businesses(db),
    subscriptions: subscriptions(db),
    boundaries: boundaries(db),
    measuring: measuring(db),
    alone: aloneIn(leases(db), holder),
    clock,
    newId,
    logger,
    wrote: (entries) => {
      for (const { type } of entries) metrics.creditEntries.add(1, { transaction_type: type })
    },
    retried: (operation) => metrics.changeRetries.add(1, { operation }),
    onApplied: () => delivery?.nudge(),
  })
  life.own('boundaries', () => sweep.stop())
  sweep.start()
  const seals = openSealing({ sealing: sealing(db), measuring: measuring(db), clock, logger })
  life.own('sealing', () => seals.stop())
  seals.start()
}

/** What a fold leaves unsettled, settling finds by itself. */
function openVoids({ logger, life }: EngineParts, { db }: Ground): void {
  const sweep = openVoidSweep({ archive: archiveStretches(db), voids: voids(db), logger })
  life.own('voids', () => sweep.stop())
  sweep.start()
}

async function openMeasure(parts: EngineParts, ground: LogGround, settling: Loop) {
  const { data, clock, logger, metrics, checks, life } = parts
  const { db, log, installation } = ground
  const { reader, openGroup } = log
  const store = measuring(db)
  const dedupe = await openEngineDedupe({ data, logger, checks, life, installation })
  const pool = openPool<MeasureTask | MeasureAgainTask, MeasureResult | MeasuredAgain>({
    workers: measureWorkers,
    entry: new URL('../../workers/measure.js', import.meta.url),
  })
  life.own('workers', () => pool.close())
  const loop = openMeasuring({
    openGroup,
    reader,
    dedupe,
    store,
    meters: meters(db),
    // The worker's answer depends on the kind of the task.
    measure: (task) => pool.run(task) as Promise<MeasureResult>,
    measureAgain: (task) => pool.run(task) as Promise<MeasuredAgain>,
    fingerprintKey: installation.fingerprintKey,
    window: rememberedFor(data.config.dedupeWindow),
    monotonic: () => performance.now() * millisecond,
    skew: log.skew,
    clock,
    logger,
    metrics: countedBy(metrics),
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
  checks.register('log clock', loop.check)
  await loop.start()
  return loop.partitions
}

/** One worker is enough for two cores, because the other core belongs to the edge. */
const measureWorkers = 1

function openArchive(
  { data, clock, logger, metrics, life }: EngineParts,
  { db, log, installation }: LogGround,
): void {
  const { identity } = createFingerprinter(installation.fingerprintKey)
  const { excess } = log
  const window = rememberedFor(data.config.dedupeWindow)
  const archive = archiving(
    {
      archive: archiveWriter(db),
      reader: log.reader,
      partitions: dayPartitions(db, batchesRetention(window)),
      batches: batchMerging(db),
      hold: logHold(db),
      clock,
      logger,
      fingerprint: (businessId, mode, eventId) => {
        const [hi, lo, rest] = identity(businessId, mode, eventId)
        return [hi, lo, rest]
      },
    },
    {
      retention: {
        batches: batchesRetention(window),
        archive: data.config.eventRetention,
      },
      dedupeWindow: window,
      trim: excess === null ? null : { keep: data.config.logRetention, excess },
      report: {
        halted: (partition, reason) => logger.error({ partition, reason }, 'archive halted'),
        dropped: (days) => {
          for (const { table, day: at, rows } of days) {
            const dropped = { table, day: formatInstant(at).slice(0, 10), rows }
            logger.info(dropped, 'a day past its retention was dropped')
            metrics.droppedRows.add(rows, { table })
          }
        },
        trimmed: (partition, { from, upTo }) => {
          logger.debug({ partition, from, upTo }, 'the log was trimmed')
          metrics.trimmedRecords.add(upTo - from, {})
        },
        failed: (error) => logger.warn({ error }, 'a round of the archive failed'),
      },
    },
  )
  life.own('archive', () => archive.stop())
  archive.start()
}
