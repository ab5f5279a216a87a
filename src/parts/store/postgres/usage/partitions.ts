import type { Duration, Instant } from '../../../../std/instant.ts'
import { formatInstant, parseInstant } from '../../../../std/instant.ts'
import type { DayPartitions, DayTable } from '../../partitions.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

/**
 * `healedFrom`: batches are kept for so much running time, whatever the clocks of their days said,
 * because dedupe heals from them.
 */
export function dayPartitions(db: Db, healedFrom: Duration): DayPartitions {
  return { days, make, rows, drop, sweepDefault }

  async function days(table: DayTable): Promise<readonly Instant[]> {
    const rows = await db.query<{ name: string }>(sql`
      select child.relname as name
      from pg_inherits
      join pg_class as child on child.oid = inhrelid
      where inhparent = to_regclass(${table})
      order by child.relname`)
    return rows.map(({ name }) => dayIn(name)).filter((day) => day !== null)
  }

  async function make(table: DayTable, day: Instant): Promise<boolean> {
    return answer(sql`select make_day_partition(${table}, ${dateOf(day)}::date) as done`)
  }

  async function rows(table: DayTable, day: Instant): Promise<number> {
    const [row] = await db.query<{ rows: number }>(
      sql`select rows_of_day(${table}, ${dateOf(day)}::date) as rows`,
    )
    return row?.rows ?? 0
  }

  async function drop(table: DayTable, day: Instant, before: Instant): Promise<boolean> {
    return answer(
      sql`select drop_day_partition(${table}, ${dateOf(day)}::date, ${healedFrom},
        ${timestamptz(before)}) as done`,
    )
  }

  async function answer(statement: Statement): Promise<boolean> {
    const [row] = await db.query<{ done: boolean }>(statement)
    return row?.done === true
  }

  async function sweepDefault(table: DayTable, before: Instant, rowsMax: number): Promise<number> {
    return (await db.query(sweeps[table]({ before, rowsMax, healedFrom }))).length
  }
}

interface Sweep {
  readonly before: Instant
  readonly rowsMax: number
  readonly healedFrom: Duration
}

const sweeps: Record<DayTable, (sweep: Sweep) => Statement> = {
  // Batches that the archive has not read yet stay, because it takes its verdicts from them.
  batches: ({ before, rowsMax, healedFrom }) => sql`
    delete from batches_default
    where ctid = any (array(
      select old.ctid
      from batches_default as old
      join archive_checkpoints as archived using (partition)
      join checkpoints as measured using (partition)
      where old.log_at < ${timestamptz(before)}
      and old.ran < measured.ran - ${healedFrom}::bigint
      and old.end_offset <= archived.next_offset
      limit ${rowsMax}))
    returning 1`,
  archive_blocks: ({ before, rowsMax }) => sql`
    delete from archive_blocks_default
    where ctid = any (array(
      select ctid from archive_blocks_default
      where greatest(log_at, kept_at) < ${timestamptz(before)} limit ${rowsMax}))
    returning 1`,
  archive_index: ({ before, rowsMax }) => sql`
    delete from archive_index_default
    where ctid = any (array(
      select ctid from archive_index_default
      where greatest(log_at, kept_at) < ${timestamptz(before)} limit ${rowsMax}))
    returning 1`,
}

const dateOf = (day: Instant): string => formatInstant(day).slice(0, 10)

/** `batches_20260131` is the day 2026-01-31. */
function dayIn(name: string): Instant | null {
  const match = /_(\d{4})(\d{2})(\d{2})$/.exec(name)
  return match === null ? null : parseInstant(`${match[1]}-${match[2]}-${match[3]}T00:00:00Z`)
}
