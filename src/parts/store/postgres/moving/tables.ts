import type { MovedColumn, MovedDay, MovedTable } from '../../moving.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/**
 * Tables about the processes that work on a database, or about what was done to it: another
 * database has its own.
 */
const bookkeeping = ['import_claim', 'leases', 'migrations', 'releases']

/** The tables that hold what the store keeps, each after those that it refers to. */
export async function tablesOf(db: Db): Promise<readonly MovedTable[]> {
  const found = await db.query<TableRow>(sql`
    select c.relname::text as name,
      (select json_agg(json_build_object('name', a.attname,
          'type', format_type(a.atttypid, a.atttypmod), 'numbered', a.attidentity <> '')
          order by a.attnum)
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      ) as columns,
      coalesce((select json_agg(json_build_object('name', p.relname,
          'bound', pg_get_expr(p.relpartbound, p.oid)) order by p.relname)
        from pg_inherits i join pg_class p on p.oid = i.inhrelid
        where i.inhparent = c.oid and pg_get_expr(p.relpartbound, p.oid) <> 'DEFAULT'
      ), '[]') as days,
      array(select distinct r.relname::text
        from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and c.relname <> all(${bookkeeping})
    order by c.relname`)
  const tables: MovedTable[] = []
  for (const { name, columns, days } of inOrder(found)) {
    const numbered = columns.map((column) => lastOf(db, name, column))
    tables.push({ name, columns: await Promise.all(numbered), days })
  }
  return tables
}

async function lastOf(
  db: Db,
  table: string,
  { name, type, numbered }: ColumnRow,
): Promise<MovedColumn> {
  if (!numbered) return { name, type, last: null }
  const [row] = await db.query<{ last: number | null }>(sql`
    select pg_sequence_last_value(pg_get_serial_sequence(${table}, ${name})::regclass) as last`)
  return { name, type, last: row?.last ?? null }
}

function inOrder(found: readonly TableRow[]): readonly TableRow[] {
  const done = new Set<string>()
  const ordered: TableRow[] = []
  for (const table of found) visit(table)
  return ordered

  function visit(table: TableRow): void {
    if (done.has(table.name)) return
    done.add(table.name)
    for (const name of table.refers) {
      const other = found.find((one) => one.name === name)
      if (other !== undefined) visit(other)
    }
    ordered.push(table)
  }
}

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly numbered: boolean
}

interface TableRow {
  readonly name: string
  readonly columns: readonly ColumnRow[]
  readonly days: readonly MovedDay[]
  readonly refers: readonly string[]
}

/** A name as it stands in a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
