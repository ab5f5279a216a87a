import { limits } from '../../../../limits.ts'
import type {
  MovedPartition,
  MovedRow,
  MovedTable,
  MovingStore,
  StoreSnapshot,
} from '../../moving.ts'
import { holdLog } from '../audit/backup.ts'
import type { Db } from '../connection/client.ts'
import { openDb } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { quoted, tablesOf } from './tables.ts'

/** How much of a table is fetched at a time, in characters. */
const fetchedMax = 4 * 1024 * 1024
const fetchedRowsMax = 5_000

/** The store at `url`, to be moved elsewhere. */
export function openMovingStore(url: string): MovingStore {
  // One connection: it holds the log, and nobody else uses it.
  const deadlineMs = limits.migrationStatementMs
  const db = openDb({ url, connectionsMax: 1, name: 'sluice export', deadlineMs })
  return { snapshot, close: () => db.close() }

  async function snapshot<T>(work: (snapshot: StoreSnapshot) => Promise<T>): Promise<T> {
    await holdLog(db)
    return db.transaction(async (tx) => {
      // Between two fetches files are written, however long that takes.
      await tx.query(sql`set local idle_in_transaction_session_timeout = 0`)
      return work(await snapshotOf(tx))
    }, 'snapshot')
  }
}

async function snapshotOf(tx: Db): Promise<StoreSnapshot> {
  const [applied] = await tx.query<{ migration: number }>(sql`
    select max(number) as migration from migrations`)
  const partitions = await tx.query<MovedPartition>(sql`
    select c.partition, c.log_identity as "logIdentity", c.next_offset as measured,
      a.next_offset as archived, c.halted
    from checkpoints c left join archive_checkpoints a using (partition)
    order by c.partition`)
  const tables = await tablesOf(tx)
  return { migration: applied?.migration ?? 0, partitions, tables, rows }

  async function* rows({ name, columns }: MovedTable): AsyncIterable<readonly MovedRow[]> {
    // The text of each value, as PostgreSQL reads it again: nothing is lost on the way.
    const texts = columns.map((column) => `${quoted(column.name)}::text`).join(', ')
    await tx.query(plain(`declare moved no scroll cursor for select ${texts} from ${quoted(name)}`))
    let count = 4
    for (;;) {
      const fetched = await tx.query<Readonly<Record<string, string | null>>>(
        plain(`fetch ${count} from moved`),
      )
      if (fetched.length === 0) break
      yield fetched.map((row) => columns.map((column) => row[column.name] ?? null))
      count = nextCount(fetched, count)
    }
    await tx.query(plain('close moved'))
  }
}

/** So many rows that the next fetch is about as large as it may be. */
function nextCount(
  fetched: readonly Readonly<Record<string, string | null>>[],
  count: number,
): number {
  let characters = 1
  for (const row of fetched) {
    for (const text of Object.values(row)) characters += text?.length ?? 0
  }
  const fits = Math.floor((fetchedMax * fetched.length) / characters)
  return Math.max(1, Math.min(fits, 4 * count, fetchedRowsMax))
}

const plain = (text: string) => ({ text, values: [] })
