import type { Db } from './client.ts'
import { sql } from './sql.ts'

/**
 * Whether the server takes changes now; a standby, or a server set to read-only, does not. Throws
 * UNAVAILABLE when it does not answer.
 */
export async function takesChanges(db: Db): Promise<boolean> {
  const [row] = await db.query<{ setting: string }>(
    sql`select current_setting('transaction_read_only') as setting`,
  )
  return row?.setting === 'off'
}
