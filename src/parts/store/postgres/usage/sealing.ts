import type { Sealed, Sealing, SealRequest } from '../../sealing.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

export function sealing(db: Db): Sealing {
  return { seal }

  async function seal({ behind, accountsMax, rowsMax, upTo }: SealRequest): Promise<Sealed> {
    const [row] = await db.query<{ answer: { last: string | null; sealed: number } }>(
      sql`select seal_usage(${behind}, ${accountsMax}, ${timestamptz(upTo)}, ${rowsMax}) as answer`,
    )
    return { last: row?.answer.last ?? null, rows: row?.answer.sealed ?? 0 }
  }
}
