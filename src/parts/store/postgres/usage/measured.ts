import { unpackFingerprints } from '../../../../rules/archive/fingerprints.ts'
import { markBytes } from '../../../../rules/meter/route-mark.ts'
import { groupBy } from '../../../../std/group.ts'
import type { Offset, Partition } from '../../../event-log/port.ts'
import type {
  ArchivePosition,
  MeasuredBatch,
  MeasuredLog,
  MeasuredStretch,
  MeasuredTail,
} from '../../archive.ts'
import type { Db } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const batchesMax = 500

/** What is measured, and what of that is archived. */
export function measured(db: Db): MeasuredLog {
  return { positions, tails, measured: stretch }

  function positions(): Promise<readonly ArchivePosition[]> {
    return db.query<ArchivePosition>(sql`
      select ${position}
      from checkpoints
      left join archive_checkpoints as archived using (partition)
      order by partition`)
  }

  async function tails(eventsMax: number): Promise<readonly MeasuredTail[]> {
    const stretch = {
      partition: sql`checkpoints.partition`,
      from: sql`archived.next_offset`,
      to: sql`checkpoints.next_offset`,
    }
    const rows = await db.query<TailRow>(sql`
      select ${position}, unreadable.quarantined, batch.*
      from checkpoints
      left join archive_checkpoints as archived using (partition)
      left join lateral (
        select json_agg(record_offset order by record_offset) as quarantined
        from (${quarantinedIn(stretch)}) as unreadable
      ) as unreadable on true
      left join lateral (${batchesOf(stretch, eventsMax)}) as batch
        on archived.next_offset < checkpoints.next_offset
      order by partition, start_offset`)
    return [...groupBy(rows, (row) => row.partition).values()].flatMap(tailOf)
  }

  async function stretch(
    partition: Partition,
    range: { readonly from: Offset; readonly to: Offset; readonly eventsMax: number },
  ): Promise<MeasuredStretch> {
    const [from, to] = [sql`${range.from}::bigint`, sql`${range.to}::bigint`]
    const place = { partition: sql`${partition}::integer`, from, to }
    const batches = await db.query<BatchRow>(batchesOf(place, range.eventsMax))
    const end = batches.at(-1)?.end_offset ?? range.to
    const unread = { ...place, to: sql`${end}::bigint` }
    const rows = await db.query<{ record_offset: Offset }>(quarantinedIn(unread))
    const quarantined = rows.map((row) => row.record_offset)
    return { batches: batches.map(batchOf), quarantined, end }
  }
}

const position = sql`
  checkpoints.partition,
  archived.next_offset as archived,
  coalesce(archived.log_at, 'epoch') as "archivedAt",
  checkpoints.next_offset as measured,
  greatest(checkpoints.log_at, checkpoints.idle_at) as "measuredAt"`

/** Offsets of a partition, from one up to another, which is excluded. */
interface Place {
  readonly partition: Statement
  readonly from: Statement
  readonly to: Statement
}

const batchesOf = ({ partition, from, to }: Place, eventsMax: number): Statement => sql`
  select start_offset, end_offset, fingerprints, verdicts, route_marks, catalog
  from (
    select
      *,
      sum(length(verdicts)) over (order by start_offset) - length(verdicts) as events_before
    from (
      select *
      from batches
      where batches.partition = ${partition}
      and start_offset < ${to}
      and end_offset > ${from}
      and start_offset >= coalesce(
        (select max(start_offset) from batches
         where batches.partition = ${partition} and start_offset <= ${from}),
        0)
      order by start_offset
      limit ${batchesMax}
    ) as following
  ) as counted
  where events_before < ${eventsMax}
  order by start_offset`

const quarantinedIn = ({ partition, from, to }: Place): Statement => sql`
  select record_offset
  from quarantine
  where quarantine.partition = ${partition}
  and record_offset >= ${from}
  and record_offset < ${to}
  order by record_offset`

/** A partition with one of its batches, or with none. */
type TailRow = ArchivePosition & {
  readonly quarantined: readonly Offset[] | null
} & (BatchRow | { readonly start_offset: null })

function tailOf(rows: readonly TailRow[]): readonly MeasuredTail[] {
  const [first] = rows
  if (first === undefined) return []
  const { archived, archivedAt, measured, measuredAt, partition } = first
  const at = { partition, archived, archivedAt, measured, measuredAt }
  if (archived === null || archived === measured) return [{ ...at, stretch: null }]
  const batches = rows.flatMap((row) => (row.start_offset === null ? [] : [batchOf(row)]))
  const end = batches.at(-1)?.end ?? measured
  const quarantined = (first.quarantined ?? []).filter((offset) => offset < end)
  return [{ ...at, stretch: { batches, quarantined, end } }]
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
