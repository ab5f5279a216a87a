import { copyOver } from '../operations/moves/copy-over.ts'
import { openDb } from '../parts/store/postgres/connection/client.ts'
import { claimOn } from '../parts/store/postgres/moving/claim.ts'
import { openEmptyStore } from '../parts/store/postgres/moving/empty-store.ts'
import { openMovingStore } from '../parts/store/postgres/moving/snapshot.ts'
import { newestOfOurs } from '../parts/store/postgres/schema/migrate.ts'

/**
 * Copies the store at the URL `from` into the empty database at `to`. Its tables stay of their
 * migration: a start brings them up to date, as ever.
 *
 * @throws Refusal where another release has migrated it.
 */
export async function copyStoreOver(from: string, to: string): Promise<void> {
  const db = openDb({ url: from, connectionsMax: 1, name: 'sluice copy' })
  const [old, empty] = [openMovingStore(from), openEmptyStore(to)]
  try {
    // A start that was cut short has made no tables.
    if ((await newestOfOurs(db)) === 0) return
    await copyOver({ from: old, to: empty, claim: await claimOn(db) })
  } finally {
    await Promise.all([db.close(), old.close(), empty.close()])
  }
}
