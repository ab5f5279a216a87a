import { unpackFingerprints } from '../../../../rules/archive/fingerprints.ts'
import { markBytes } from '../../../../rules/meter/route-mark.ts'
import type { Offset, Partition } from '../../../event-log/port.ts'
import type { ArchivePosition, MeasuredBatch, MeasuredLog, MeasuredStretch } from '../../archive.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

const batchesMax = 500

/** What is measured, and what of that is archived. */
export function measured(db: Db): MeasuredLog {
  return { positions, measured: stretch }

  function positions(): Promise<readonly ArchivePosition[]> {
    return db.query<ArchivePosition>(sql`
      select
        partition,
        archived.next_offset as archived,
        coalesce(archived.log_at, 'epoch') as "archivedAt",
        checkpoints.next_offset as measured,
        greatest(checkpoints.log_at, checkpoints.idle_at) as "measuredAt"
      from checkpoints
      left join archive_checkpoints as archived using (partition)
      order by partition`)
  }

  async function stretch(
    partition: Partition,
    range: { readonly from: Offset; readonly to: Offset; readonly eventsMax: number },
  ): Promise<MeasuredStretch> {
    const batches = await batchesOf(partition, range)
    const end = batches.at(-1)?.end ?? range.to
    return { batches, quarantined: await quarantinedIn(partition, range.from, end), end }
  }

  async function batchesOf(
    partition: Partition,
    range: { readonly from: Offset; readonly to: Offset; readonly eventsMax: number },
  ): Promise<readonly MeasuredBatch[]> {
    const rows = await db.query<BatchRow>(sql`
      select start_offset, end_offset, fingerprints, verdicts, route_marks, catalog
      from (
        select
          *,
          sum(length(verdicts)) over (order by start_offset) - length(verdicts) as events_before
        from (
          select *
          from batches
          where partition = ${partition}
          and start_offset < ${range.to}
          and end_offset > ${range.from}
          and start_offset >= coalesce(
            (select max(start_offset) from batches
             where partition = ${partition} and start_offset <= ${range.from}),
            0)
          order by start_offset
          limit ${batchesMax}
        ) as following
      ) as counted
      where events_before < ${range.eventsMax}
      order by start_offset`)
    return rows.map(batchOf)
  }

  async function quarantinedIn(
    partition: Partition,
    from: Offset,
    to: Offset,
  ): Promise<readonly Offset[]> {
    const rows = await db.query<{ record_offset: Offset }>(sql`
      select record_offset
      from quarantine
      where partition = ${partition}
      and record_offset >= ${from}
      and record_offset < ${to}
      order by record_offset`)
    return rows.map((row) => row.record_offset)
  }
}

interface BatchRow {
  readonly start_offset: Offset
  readonly end_offset: Offset
  readonly fingerprints: Uint8Array
  readonly verdicts: Uint8Array
  readonly route_marks: Uint8Array
  readonly catalog: unknown
}

const batchOf = (row: BatchRow): MeasuredBatch => ({
  start: row.start_offset,
  end: row.end_offset,
  fingerprints: unpackFingerprints(row.fingerprints),
  verdicts: row.verdicts,
  routeMarks: marksOf(row.route_marks, row.verdicts.length),
  catalog: row.catalog,
})

/**
 * Batches from before marks were kept have none: each of their events gets the mark of no route.
 */
export const marksOf = (kept: Uint8Array, events: number): Uint8Array =>
  kept.length === events * markBytes ? kept : new Uint8Array(events * markBytes)
