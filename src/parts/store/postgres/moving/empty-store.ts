import { Refusal } from '../../../../faults.ts'
import { limits } from '../../../../limits.ts'
import type { EmptyStore, ImportClaim } from '../../moving.ts'
import type { Db } from '../connection/client.ts'
import { openDb } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { underLock } from '../schema/lock.ts'
import { migrate, newestApplied, ourMigrations } from '../schema/migrate.ts'
import { claimOn, endClaim, putClaim } from './claim.ts'
import { loadingInto } from './loading.ts'
import { quoted, tablesOf } from './tables.ts'

// An advisory lock, so that one import at a time works on a database.
const [lockSpace, lockName] = [0x51_1c, 0x1a0]

/** Processes write it before anything is kept, and the import brings its own. */
const madeByStart: Readonly<Record<string, string>> = {
  believed_time: 'false',
  installation: 'event_log is not null',
}

/** The store at `url`, to be filled from an export. */
export function openEmptyStore(url: string): EmptyStore {
  // One connection, which keeps the lock. It is of no release: no trigger fires for what is loaded.
  const deadlineMs = limits.migrationStatementMs
  const db = openDb({ url, connectionsMax: 1, name: 'sluice import', deadlineMs, release: 'none' })
  return { inspect, claim, load, close: () => db.close() }

  async function inspect(migration: number): Promise<ImportClaim> {
    const [lock] = await db.query<{ taken: boolean }>(sql`
      select pg_try_advisory_lock(${lockSpace}::integer, ${lockName}::integer) as taken`)
    if (lock?.taken !== true) throw new Refusal('Another import into this database is under way.')
    return emptiness(db, migration)
  }

  async function claim(migration: number, log: string | null): Promise<void> {
    await underLock(db, async (tx) => {
      await emptiness(tx, migration)
      await putClaim(tx, log)
    })
    const migrations = (await ourMigrations()).slice(0, migration)
    await migrate(db, { apply: true, migrations })
  }

  async function load(work: Parameters<EmptyStore['load']>[0]): Promise<void> {
    await db.transaction(async (tx) => {
      // Between two statements files are read.
      await tx.query(sql`set local idle_in_transaction_session_timeout = 0`)
      await tx.query(sql`delete from installation`)
      await tx.query(sql`delete from believed_time`)
      await work(loadingInto(tx))
      await endClaim(tx)
    })
    await db.query({ text: 'analyze', values: [] })
  }
}

/** @throws Refusal where an import cannot begin. */
async function emptiness(db: Db, migration: number): Promise<ImportClaim> {
  for (const { name } of await tablesOf(db)) {
    const where = madeByStart[name] ?? 'true'
    const text = `select exists (select from ${quoted(name)} where ${where}) as full`
    const [row] = await db.query<{ full: boolean }>({ text, values: [] })
    if (row?.full === true) {
      throw new Refusal(
        `The database is not empty (there are rows in ${name}): import into a new one.`,
      )
    }
  }
  const applied = await newestApplied(db)
  if (applied > migration) {
    throw new Refusal(
      `The tables in the database are of migration ${applied} and the export is of ${migration}: import into a database without tables.`,
    )
  }
  return (await claimOn(db)) ?? { log: null }
}
