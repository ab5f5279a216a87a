import { verifyBooks } from '../../../src/operations/verify/verify-books.ts'
import { audit } from '../../../src/parts/store/postgres/audit/audit.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { day } from '../../../src/std/instant.ts'

/** What `verify` says of the books, a line each with its kind; of all of them without a business. */
export async function saidOf(db: Db, businessId: string | null = null): Promise<string> {
  const lines: string[] = []
  const needs = { audit: audit(db), log: null, window: day }
  for await (const { kind, sentence } of verifyBooks(needs, { businessId })) {
    lines.push(`${kind}: ${sentence}`)
  }
  return lines.join('\n')
}

/** The same after some SQL that no trigger and no constraint holds up; all of it is undone. */
export async function saidAfter(
  db: Db,
  text: string,
  businessId: string | null = null,
): Promise<string> {
  const back = new Error('back to right books')
  let said = ''
  await db
    .transaction(async (tx) => {
      await tx.query({ text: 'set local session_replication_role = replica', values: [] })
      await tx.query({ text, values: [] })
      said = await saidOf(tx, businessId)
      throw back
    })
    .catch((error: unknown) => {
      if (error !== back) throw error
    })
  return said
}
