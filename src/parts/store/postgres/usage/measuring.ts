import { limits } from '../../../../limits.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Duration, Instant } from '../../../../std/instant.ts'
import type { Offset, Partition } from '../../../event-log/port.ts'
import type {
  Checkpoint,
  Committed,
  IdlePartition,
  Measured,
  Measuring,
  StoredBatch,
  Versions,
} from '../../measuring.ts'
import type { CustomerKey } from '../../scope.ts'
import type { RouteJson } from '../catalog/routes.ts'
import { routeFrom } from '../catalog/routes.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { measuredArrays } from './measured-arrays.ts'
import type { CommitAnswer } from './measured-json.ts'
import {
  catalogJson,
  committedOf,
  customerJson,
  quarantineJson,
  slicesJson,
} from './measured-json.ts'

/** How many bytes of fingerprints are in memory at a time. */
const bytesPerPage = 8 * 1024 * 1024

export function measuring(db: Db): Measuring {
  return {
    take,
    checkpoints,
    commit,
    holding,
    rename,
    halt,
    resume,
    heartbeat,
    watermark,
    batches,
    routes,
  }

  async function take(
    partition: Partition,
    logIdentity: string,
    namespace: string,
  ): Promise<Checkpoint> {
    const [row] = await db.query<CheckpointRow>(
      sql`select *, ${leftOut} as left_out
        from take_partition(${partition}, ${logIdentity}, ${namespace})`,
    )
    if (row === undefined) throw new Error('take_partition() answered nothing.')
    return checkpointOf(row)
  }

  async function checkpoints(): Promise<readonly Checkpoint[]> {
    const rows = await db.query<CheckpointRow>(
      sql`select *, ${leftOut} as left_out from checkpoints order by partition`,
    )
    return rows.map(checkpointOf)
  }

  async function commit(measured: Measured): Promise<Committed> {
    // A standby that was promoted may never have heard of a partition that was taken just before.
    // Then there is no row to compare with, and the answer is the same as for another epoch.
    const slices = slicesJson(measured)
    const [row] = await db.query<{ answer: CommitAnswer }>(sql`
      select coalesce((
        select jsonb_build_object('lost', jsonb_agg(jsonb_build_object(
          'partition', s.partition, 'epoch', 0, 'next_offset', 0, 'halted', false)))
        from jsonb_to_recordset(${slices}::jsonb) s (partition integer)
        where not exists (select from checkpoints c where c.partition = s.partition)
        having count(*) > 0
      ), commit_measured(
        ${slices}::jsonb,
        ${measured.slices.map((slice) => Buffer.from(slice.fingerprints))}::bytea[],
        ${measured.slices.map((slice) => Buffer.from(slice.verdicts))}::bytea[],
        ${measured.slices.map((slice) => Buffer.from(slice.routeMarks))}::bytea[],
        ${JSON.stringify(measured.catalogs.map(catalogJson))}::jsonb,
        ${quarantineJson(measured)}::jsonb,
        ${measuredArrays(measured)})) as answer`)
    return committedOf(row?.answer ?? {})
  }

  /**
   * Versions are locked before everything else that measuring locks, and in share mode, so that
   * measuring processes do not hold each other up. Writers that move a version hold no checkpoint
   * and no usage.
   */
  function holding<T>(
    { catalogs, customers }: Versions,
    work: (commit: Measuring['commit']) => Promise<T>,
  ): Promise<T> {
    return db.transaction(async (tx) => {
      await tx.query(sql`
        select from business_modes
        where (business_id, mode) in (
          select * from unnest(
            ${catalogs.map(({ businessId }) => businessId)}::text[],
            ${catalogs.map(({ mode }) => mode)}::text[]))
        order by business_id, mode
        for share`)
      await tx.query(sql`
        select from customers
        where (business_id, mode, customer_id) in (
          select * from unnest(
            ${customers.map(({ businessId }) => businessId)}::text[],
            ${customers.map(({ mode }) => mode)}::text[],
            ${customers.map(({ customerId }) => customerId)}::text[]))
        order by business_id, mode, customer_id
        for share`)
      return work(measuring(tx).commit)
    })
  }

  async function rename(
    ...[partition, { epoch, from, next, age }, namespace]: Parameters<Measuring['rename']>
  ): Promise<boolean> {
    const rows = await db.query(sql`
      update checkpoints c set namespace = ${namespace}
      where partition = ${partition} and epoch = ${epoch} and next_offset = ${next}
        and not exists (
          select from batches b
          where b.partition = c.partition and b.start_offset < ${from}
            and b.ran >= c.ran - ${age}::bigint)
      returning partition`)
    return rows.length === 1
  }

  async function halt(partition: Partition, epoch: number, reason: string): Promise<void> {
    await db.query(sql`
      update checkpoints
      set halted = coalesce(halted, ${reason}), halted_at = coalesce(halted_at, believed_now())
      where partition = ${partition} and epoch = ${epoch}`)
  }

  async function resume(partition: Partition, epoch: number): Promise<void> {
    await db.query(sql`
      update checkpoints set halted = null, halted_at = null
      where partition = ${partition} and epoch = ${epoch}`)
  }

  async function heartbeat(idle: readonly IdlePartition[]): Promise<void> {
    const rows = idle.map(({ partition, epoch, next, at, ran }) => ({
      partition,
      epoch,
      next_offset: next,
      at: timestamptz(at),
      ran: Math.floor(ran),
    }))
    await db.query(sql`select heartbeat(${JSON.stringify(rows)}::jsonb)`)
  }

  async function watermark(): Promise<Instant | null> {
    const [row] = await db.query<{ at: Instant | null }>(sql`select (${watermarkOfLog}) as at`)
    return row?.at ?? null
  }

  async function* batches(
    partition: Partition,
    from: Offset,
    age: Duration,
  ): AsyncIterable<StoredBatch> {
    const [found] = await db.query<{ first: Offset | null }>(sql`
      select min(start_offset) as first from batches
      where partition = ${partition} and ran >= (
        select ran from checkpoints where partition = ${partition}) - ${age}::bigint`)
    if (found?.first == null) return
    let next = Math.max(from, found.first)
    for (;;) {
      const rows = await db.query<BatchRow>(sql`
        select start_offset, end_offset, ran, fingerprints, verdicts
        from (
          select *, sum(length(fingerprints)) over (order by start_offset)
            - length(fingerprints) as bytes_before
          from (
            select * from batches
            where partition = ${partition} and end_offset > ${next}
            and start_offset >= coalesce(
              (select max(start_offset) from batches
               where partition = ${partition} and start_offset <= ${next}),
              0)
            order by start_offset limit 200
          ) as following
        ) as counted
        where bytes_before < ${bytesPerPage}
        order by start_offset`)
      for (const row of rows) {
        const batch = batchOf(row)
        yield batch.start < next ? { ...batch, start: next } : batch
        next = row.end_offset
      }
      if (rows.length === 0) return
    }
  }

  async function routes(customers: readonly CustomerKey[]) {
    const wanted = JSON.stringify(customers.map(customerJson))
    const rows = await db.query<RoutesRow>(sql`
      select c.business_id, c.mode, c.customer_id, c.routes_version, c.routes_stamp, to_jsonb(array(
        select jsonb_build_object('route_id', s.subscription_id,
          'activated_at', s.activated_at, 'ended', s.ended, 'pauses', s.pauses,
          'stretches', s.stretches)
        from subscriptions s
        where (s.business_id, s.mode, s.customer_id) = (c.business_id, c.mode, c.customer_id)
          and s.activated_at is not null)) as routes
      from jsonb_to_recordset(${wanted}::jsonb) k (business_id text, mode text, customer_id text)
      join customers c using (business_id, mode, customer_id)`)
    return rows.map((row) => ({
      businessId: row.business_id,
      mode: row.mode,
      customerId: row.customer_id,
      version: row.routes_version,
      stamp: row.routes_stamp,
      routes: row.routes.map(routeFrom),
    }))
  }
}

/** One rule for the watermark and for those who report it. */
export const leftOut = sql`
  coalesce(
    halted_at <= believed_now() - ${limits.haltedWait}::bigint * interval '1 microsecond', false)`

/** The watermark; null: there is none. [machines#boundaries] */
export const watermarkOfLog = sql`
  select min(greatest(log_at, idle_at)) from checkpoints where not ${leftOut}`

interface CheckpointRow {
  readonly partition: number
  readonly next_offset: number
  readonly epoch: number
  readonly log_identity: string
  readonly log_at: Instant
  readonly ran: Duration
  readonly digest: Uint8Array | null
  readonly namespace: string
  readonly halted: string | null
  readonly left_out: boolean
  readonly events: number
  readonly billed: number
  readonly unmatched: number
  readonly duplicates: number
  readonly quarantined: number
}

const checkpointOf = (row: CheckpointRow): Checkpoint => ({
  partition: row.partition,
  nextOffset: row.next_offset,
  epoch: row.epoch,
  logIdentity: row.log_identity,
  logAt: row.log_at,
  ran: row.ran,
  digest: row.digest,
  namespace: row.namespace,
  halted: row.halted,
  leftOut: row.left_out,
  totals: {
    events: row.events,
    billed: row.billed,
    unmatched: row.unmatched,
    duplicates: row.duplicates,
    quarantined: row.quarantined,
  },
})

interface BatchRow {
  readonly start_offset: number
  readonly end_offset: number
  readonly ran: Duration
  readonly fingerprints: Uint8Array
  readonly verdicts: Uint8Array
}

const batchOf = (row: BatchRow): StoredBatch => ({
  start: row.start_offset,
  end: row.end_offset,
  ran: row.ran,
  fingerprints: row.fingerprints,
  verdicts: row.verdicts,
})

interface RoutesRow {
  readonly business_id: string
  readonly mode: Mode
  readonly customer_id: string
  readonly routes_version: number
  readonly routes_stamp: number
  readonly routes: readonly RouteJson[]
}
