import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Announcement, Announcements } from '../../announcements.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

export function announcements(db: Db): Announcements {
  return { oldest, told }

  async function oldest(limit: number): Promise<readonly Announcement[]> {
    const rows = await db.query<Row>(sql`
      select id, message_id, mode, customer_id, body from announcements
      order by id limit ${limit}`)
    return rows.map((row) => ({
      id: row.id,
      messageId: row.message_id,
      mode: row.mode,
      customerId: row.customer_id,
      body: row.body,
    }))
  }

  async function told(published: readonly Announcement[]): Promise<void> {
    await db.query(sql`
      delete from announcements where (id, message_id) in (
        select * from unnest(
          ${published.map(({ id }) => id)}::bigint[],
          ${published.map(({ messageId }) => messageId)}::text[]
        )
      )`)
  }
}

interface Row {
  readonly id: number
  readonly message_id: string
  readonly mode: Mode
  readonly customer_id: string
  readonly body: string
}
