import type { BentRow } from '../../audit-commerce.ts'
import type { Db } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'

/** What a statement finds bent: its columns are business_id, id and what. */
export async function* bentRows(db: Db, statement: Statement): AsyncIterable<BentRow> {
  const found = await db.query<{ business_id: string; id: string; what: string }>(statement)
  for (const { business_id: businessId, id, what } of found) yield { businessId, id, what }
}
