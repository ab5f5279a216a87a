import type { EmptyStore, ImportClaim, MovingStore } from '../../parts/store/moving.ts'

export interface CopyOverNeeds {
  readonly from: MovingStore
  readonly to: EmptyStore
  /** An import into the old store that was cut short: it goes on in the new one. */
  readonly claim: ImportClaim | null
}

/**
 * Copies what a store keeps into an empty one, all of it or nothing. The event log stays as it is:
 * what the store has not measured, the new one measures.
 */
export async function copyOver({ from, to, claim }: CopyOverNeeds): Promise<void> {
  await from.snapshot(async ({ migration, tables, rows }) => {
    await to.inspect(migration)
    await to.claim(migration, claim?.log ?? null)
    // An import loads in one transaction, so half of one has loaded nothing.
    if (claim !== null) return
    await to.load(async (loading) => {
      for (const table of tables) {
        await loading.begin(table)
        for await (const some of rows(table)) await loading.add(table, some)
      }
    })
  })
}
