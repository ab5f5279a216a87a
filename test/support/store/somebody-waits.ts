import { expect } from 'vitest'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'

/** Resolves when a transaction of this database waits for a lock. */
export const somebodyWaits = (db: Db) =>
  expect
    .poll(
      async () => {
        const rows = await db.query(sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`)
        return rows.length
      },
      { timeout: 30_000 },
    )
    .toBe(1)
