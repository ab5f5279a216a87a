import { join } from 'node:path'
import { attachPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'

/** Bytes on the disk with everything: rows, pieces stored out of line, and indexes. */
export interface Kept {
  readonly blocks: number
  readonly events: number
  /** Filters of ids. */
  readonly ids: number
  /** Filters of customers, names and times, by which lists find their blocks. */
  readonly listing: number
  /** Indexes of the blocks themselves. */
  readonly trees: number
  /** Lines, verdicts, marks and places. */
  readonly bodies: number
}

/** Reads what the archive of a running server takes up. */
export async function keptBy(dataDir: string): Promise<Kept> {
  const url = await attachPostgres(join(dataDir, 'postgres'))
  if (url === null) throw new Error('The embedded PostgreSQL of the bench cannot be reached.')
  const db = openDb({ url, connectionsMax: 1, name: 'sluice bench' })
  const [row] = await db.query<Row>(sql`
    with parts as (
      select inhparent::regclass::text as parent, pg_total_relation_size(inhrelid) as total,
        pg_indexes_size(inhrelid) as indexes
      from pg_inherits
      where inhparent in ('archive_blocks'::regclass, 'archive_index'::regclass)
        and inhrelid in (select oid from pg_class where relkind = 'r')
    )
    select
      count(*)::integer as blocks, sum(events)::bigint as events,
      sum(pg_column_size(ids))::bigint as ids,
      sum(pg_column_size(body) + pg_column_size(verdicts) + pg_column_size(route_marks)
        + pg_column_size(places))::bigint as bodies,
      (select sum(total)::bigint from parts where parent = 'archive_index') as listing,
      (select sum(indexes)::bigint from parts where parent = 'archive_blocks') as trees,
      (select sum(total - indexes)::bigint from parts where parent = 'archive_blocks') as total
    from archive_blocks`)
  await db.close()
  if (row === undefined) throw new Error('A select without a row.')
  // What pages and pieces cost besides is shared out by size.
  const stretch = row.total / (row.ids + row.bodies)
  return { ...row, ids: row.ids * stretch, bodies: row.bodies * stretch }
}

interface Row extends Kept {
  readonly total: number
}
