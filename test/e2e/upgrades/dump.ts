import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'

/** Tables that no version hands on: its own functions, and the processes at work. */
const passing = ['releases', 'leases']

/** The rows of all tables as statements that insert them, a line each, with its columns named. */
export async function dumpRows(db: Db): Promise<string> {
  const tables = await db.query<{ name: string; columns: readonly string[] }>(sql`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and a.attnum > 0 and not a.attisdropped
    group by c.oid, c.relname
    order by c.oid`)
  const lines: string[] = []
  for (const { name, columns } of tables.filter((table) => !passing.includes(table.name))) {
    const values = columns.map((column) => `quote_nullable(${column}::text)`).join(`, ', ', `)
    const rows = await db.query<{ values: string }>({
      text: `select concat(${values}) as values from ${name} order by 1`,
      values: [],
    })
    const into = `insert into ${name} (${columns.join(', ')}) overriding system value values`
    for (const row of rows)
      lines.push(`${into} (${row.values.replaceAll('\n', "' || chr(10) || '")});`)
  }
  return `${lines.join('\n')}\n`
}

/**
 * Fills tables that migrations have made. Triggers do not fire, since the rows hold what they
 * wrote.
 */
export async function loadRows(db: Db, dump: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query({ text: dump, values: [] })
    // The next number of each table that counts its rows by itself.
    const counted = await tx.query<{ name: string; column: string }>(sql`
      select c.oid::regclass::text as name, a.attname::text as column
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where a.attidentity <> '' and c.relkind in ('r', 'p') and not c.relispartition`)
    for (const { name, column } of counted) {
      const text = `select setval(pg_get_serial_sequence('${name}', '${column}'),
        (select coalesce(max(${column}), 0) + 1 from ${name}), false)`
      await tx.query({ text, values: [] })
    }
  })
}
