import { verifyBooks } from '../../../src/operations/verify/verify-books.ts'
import { audit } from '../../../src/parts/store/postgres/audit/audit.ts'
import type { ScratchStore } from './scratch-store.ts'

/** What `sluice verify` finds in the books of a business; null: of all of them. */
export async function differencesOf(
  { db }: Pick<ScratchStore, 'db'>,
  { businessId }: { readonly businessId: string | null },
): Promise<readonly string[]> {
  const books = verifyBooks({ audit: audit(db), log: null, window: 0 }, { businessId })
  const found: string[] = []
  for await (const { sentence } of books) found.push(sentence)
  return found
}
