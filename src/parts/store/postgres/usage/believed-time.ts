import type { StoreTime } from '../../../../runtime/keeping-time.ts'
import type { Duration, Instant } from '../../../../std/instant.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/**
 * `machine` names this machine since its last start, because monotonic time of any other is of no
 * use here. Null: it has no such name.
 */
export function believedTimes(db: Db, machine: string | null): StoreTime {
  return { recall, remember }

  async function recall() {
    const [row] = await db.query<Row>(sql`
      select clock_timestamp() as now, at, told_at, machine, monotonic_us
      from (values (1)) as one left join believed_time on true`)
    if (row === undefined) throw new Error('The database did not say what time it is.')
    const { now, at, told_at: toldAt, monotonic_us: monotonic } = row
    if (at === null || toldAt === null) return { now, memory: null }
    const isHere = machine !== null && row.machine === machine
    return { now, memory: { at, toldAt, monotonic: isHere ? monotonic : null } }
  }

  async function remember(told: { readonly at: Instant; readonly monotonic: Duration } | null) {
    const [row] =
      told === null
        ? await db.query<{ now: Instant }>(sql`select clock_timestamp() as now`)
        : await db.query<{ now: Instant }>(sql`
            insert into believed_time (at, told_at, machine, monotonic_us)
            values (${timestamptz(told.at)}, clock_timestamp(), ${machine},
              ${Math.round(told.monotonic)})
            on conflict (one) do update set at = excluded.at, told_at = excluded.told_at,
              machine = excluded.machine, monotonic_us = excluded.monotonic_us
            returning told_at as now`)
    if (row === undefined) throw new Error('The database did not say what time it is.')
    return row.now
  }
}

interface Row {
  readonly now: Instant
  readonly at: Instant | null
  readonly told_at: Instant | null
  readonly machine: string | null
  readonly monotonic_us: number | null
}
