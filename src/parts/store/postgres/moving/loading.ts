import assert from 'node:assert/strict'
import type { MovedLog, MovedRow, MovedTable, StoreLoading } from '../../moving.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { quoted } from './tables.ts'

/** What an import writes, in its one transaction. */
export function loadingInto(tx: Db): StoreLoading {
  return { begin, add, goOn }

  async function begin({ name, columns, days }: MovedTable): Promise<void> {
    for (const day of days) {
      assert(day.name.startsWith(`${name}_`) && dayBound.test(day.bound), `${day.name} is no day.`)
      await run(`create table ${quoted(day.name)} (like ${quoted(name)} including defaults
        including constraints including indexes including storage)`)
      await run(`alter table ${quoted(name)} attach partition ${quoted(day.name)} ${day.bound}`)
    }
    for (const column of columns) {
      if (column.last === null) continue
      await tx.query(sql`
        select setval(pg_get_serial_sequence(${name}, ${column.name})::regclass,
          ${column.last}::bigint)`)
    }
  }

  async function add({ name, columns }: MovedTable, rows: readonly MovedRow[]): Promise<void> {
    const names = columns.map((column) => quoted(column.name)).join(', ')
    const values = columns.map(({ type }, index) => `(r->>${index})::${typeName(type)}`).join(', ')
    const text = `insert into ${quoted(name)} (${names}) overriding system value
      select ${values} from jsonb_array_elements($1::jsonb) r`
    await tx.query({ text, values: [JSON.stringify(rows)] })
  }

  async function goOn({ kind, identity, origin }: MovedLog): Promise<void> {
    await tx.query(sql`
      update installation set event_log = ${`${kind}:${identity}`},
        log_origin = ${JSON.stringify(origin)}::jsonb`)
    await tx.query(sql`update checkpoints set log_identity = ${identity}`)
  }

  async function run(text: string): Promise<void> {
    await tx.query({ text, values: [] })
  }
}

const dayBound = /^FOR VALUES FROM \('[-\d :+.]+'\) TO \('[-\d :+.]+'\)$/

/** What stands in a folder must not become any other SQL than it says. */
function typeName(type: string): string {
  assert(/^[a-z][a-z ]*(\(\d+(,\d+)?\))?(\[\])?$/.test(type), `${type} is no type of a column.`)
  return type
}
