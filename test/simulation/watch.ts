import type { Partition } from '../../src/parts/event-log/port.ts'
import { storedBalance } from '../../src/rules/accounts/account.ts'
import type { NewEntry } from '../../src/rules/accounts/change.ts'
import type { Replay } from '../../src/rules/accounts/replay.ts'
import { emptyReplay, replayEntry } from '../../src/rules/accounts/replay.ts'
import type { AccountRow, BatchRow, Tables } from './tables.ts'

/** What was seen of an account: as far as its entries were read, and what they add up to. */
interface Read {
  readonly entries: readonly NewEntry[]
  readonly books: Replay
}

/**
 * Looks at the store after every change: checkpoints only move on, batch joins batch, and accounts
 * are the fold of their entries. [guarantees#books-that-add-up, guarantees#checkpoints]
 */
export function openWatch(problem: (text: string) => void) {
  const offsets = new Map<Partition, number>()
  const batches = new Map<Partition, readonly BatchRow[]>()
  const accounts = new Map<string, { row: AccountRow; read: Read }>()
  return watch

  function watch(tables: Tables, restored: boolean): void {
    if (restored) {
      offsets.clear()
      batches.clear()
      accounts.clear()
    }
    for (const { partition, nextOffset } of tables.checkpoints.values()) {
      const before = offsets.get(partition) ?? 0
      if (nextOffset < before) problem(`${partition}: the checkpoint moved back to ${nextOffset}`)
      offsets.set(partition, nextOffset)
      joined(partition, tables.batches.get(partition) ?? [], nextOffset)
    }
    for (const row of tables.accounts.values()) {
      const seen = accounts.get(row.accountId)
      if (seen?.row === row) continue
      const entries = tables.entries.get(row.accountId) ?? []
      accounts.set(row.accountId, { row, read: folded(row, entries, seen?.read) })
    }
  }

  function joined(partition: Partition, all: readonly BatchRow[], next: number): void {
    const before = batches.get(partition)
    if (before === all) return
    let end = before?.at(-1)?.end ?? 0
    for (const batch of all.slice(before?.length ?? 0)) {
      if (batch.start !== end || batch.end <= batch.start)
        problem(`${partition}: a batch of ${batch.start}–${batch.end} follows ${end}`)
      end = batch.end
    }
    if (end !== next) problem(`${partition}: the batches end at ${end}, the checkpoint is ${next}`)
    batches.set(partition, all)
  }

  function folded(row: AccountRow, entries: readonly NewEntry[], before: Read | undefined): Read {
    let books = before?.books ?? emptyReplay
    for (const entry of entries.slice(before?.entries.length ?? 0)) {
      const next = replayEntry(books, entry)
      if (typeof next === 'string') {
        problem(`${row.key.customerId} of ${row.key.businessId}: ${next}`)
        break
      }
      books = next
    }
    const { account } = row
    if (books.balance !== storedBalance(account) || books.overage !== account.state.overage)
      problem(
        `${row.key.customerId} of ${row.key.businessId}: the account is not its entries' fold`,
      )
    return { entries, books }
  }
}
