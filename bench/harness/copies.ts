import { join } from 'node:path'
import { startPostgres } from '../../src/parts/store/embedded/postgres.ts'
import type { Db } from '../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../src/parts/store/postgres/connection/client.ts'
import type { Statement } from '../../src/parts/store/postgres/connection/sql.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import { openLogger } from '../../src/runtime/logger.ts'

/** Rows of one table, each a copy of another one. */
export interface Copies {
  readonly table: Statement
  /** Which row is copied. */
  readonly of: Statement
  /** The numbers `n` of the copies: from this one on. */
  readonly from?: number
  readonly count: number
  /** JSON of the columns that differ, by the copy's number `n`, from 1. */
  readonly differs: Statement
}

const rowsAtOnce = 25_000

/**
 * Makes many of what a store has one of, in the store of a data directory that nobody serves: each
 * copy a second older than the one before it. It lists and reads as the one does.
 */
export async function copyRows(dataDir: string, all: readonly Copies[]): Promise<void> {
  const logger = openLogger({ level: 'warn', part: 'bench' })
  const postgres = await startPostgres({ directory: join(dataDir, 'postgres'), logger })
  const db = openDb({ url: postgres.url, connectionsMax: 1, name: 'sluice bench' })
  // Each copy belongs to what was copied before it: checking that for a million rows takes minutes.
  await db.query(sql`set session_replication_role = replica`)
  for (const copies of all) {
    const { count, from: first = 1 } = copies
    for (let from = first; from <= count; from += rowsAtOnce) await copy(db, copies, from)
  }
  await db.query({ text: 'vacuum analyze', values: [] })
  await db.close()
  await postgres.stop(60_000)
}

async function copy(db: Db, { table, of, count, differs }: Copies, from: number): Promise<void> {
  const names = await db.query<{ name: string }>(sql`
    select attname::text as name from pg_attribute
    where attrelid = ${table.text}::regclass and attnum > 0 and not attisdropped order by attnum`)
  const named = (prefix: string): Statement => ({
    text: names.map(({ name }) => `${prefix}${name}`).join(', '),
    values: [],
  })
  const to = Math.min(count, from + rowsAtOnce - 1)
  await db.query(sql`
    with one as (select * from ${table} where ${of} limit 1)
    insert into ${table} (${named('')})
    select ${named('copied.')}
    from one
    cross join generate_series(${from}::integer, ${to}::integer) as n
    cross join lateral jsonb_populate_record(one::${table}, ${differs}
      || jsonb_build_object('created_at', one.created_at - n * interval '1 s')) as copied`)
}
