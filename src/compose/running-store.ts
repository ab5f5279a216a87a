import { Fault } from '../faults.ts'
import { attachPostgres } from '../parts/store/embedded/postgres.ts'
import type { Db, DbPool } from '../parts/store/postgres/connection/client.ts'
import { openDb } from '../parts/store/postgres/connection/client.ts'
import { postgresDirectory } from './embedded.ts'
import type { StoreNeeds } from './store.ts'

/** The store of a server that comes and goes. */
export interface RunningStore {
  /** What `work` answers; null: no server is there just now. */
  ask<T>(work: (db: Db) => Promise<T>): Promise<T | null>
}

const deadlineMs = 10_000

/**
 * For commands that watch a server for a long time. They start none, and hold no data directory:
 * a server that starts again must not have to wait for them.
 */
export function runningStore({ config, life }: Pick<StoreNeeds, 'config' | 'life'>): RunningStore {
  let db: DbPool | null = null
  life.own('watched store', async () => db?.close())
  return { ask }

  async function ask<T>(work: (db: Db) => Promise<T>): Promise<T | null> {
    try {
      db ??= await opened()
      return db === null ? null : await work(db)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      // The next server may be found elsewhere.
      const lost = db
      db = null
      await lost?.close()
      return null
    }
  }

  async function opened(): Promise<DbPool | null> {
    const url = config.databaseUrl ?? (await attachPostgres(postgresDirectory(config)))
    if (url === null) return null
    return openDb({ url, connectionsMax: 1, name: 'sluice listen', deadlineMs })
  }
}
