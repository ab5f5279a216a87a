import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** Runs a transaction that changes the schema. Only one process at a time does. */
export function underLock<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    // The second process waits for as long as the first one's migration takes.
    await tx.query(sql`set local lock_timeout = '30min'`)
    await tx.query(sql`select pg_advisory_xact_lock(${advisoryLock}::bigint)`)
    return work(tx)
  })
}

/** An arbitrary number that nobody else in this database uses: 'sluice' in ASCII. */
const advisoryLock = 0x736c75696365
