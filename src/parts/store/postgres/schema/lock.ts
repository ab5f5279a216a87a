import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A transaction that changes the schema: of all processes one does so at a time. */
export function underLock<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    // Whoever comes second waits for as long as the first one's migration takes.
    await tx.query(sql`set local lock_timeout = '30min'`)
    await tx.query(sql`select pg_advisory_xact_lock(${advisoryLock}::bigint)`)
    return work(tx)
  })
}

/** Any number will do, if nobody else in this database takes it: 'sluice' in ASCII. */
const advisoryLock = 0x736c75696365
