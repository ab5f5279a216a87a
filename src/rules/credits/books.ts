import assert from 'node:assert/strict'
import type { CreditTransactionType } from '../facts/ledger-facts.ts'
import type { Credits } from './credits.ts'
import { minus, noCredits, plus, sizeOf } from './credits.ts'
import type { Entry } from './entry.ts'

/** An account as its entries alone tell it: what verify compares the stored account with. [I4] */
export interface Books {
  readonly entries: number
  readonly balance: Credits
  readonly overage: Credits
  /** What each grant ever seen still holds. */
  readonly grants: ReadonlyMap<string, Credits>
}

export const emptyBooks: Books = {
  entries: 0,
  balance: noCredits,
  overage: noCredits,
  grants: new Map(),
}

export type BookedEntry = Pick<
  Entry,
  | 'number'
  | 'type'
  | 'amount'
  | 'balanceBefore'
  | 'balanceAfter'
  | 'overageBefore'
  | 'overageAfter'
  | 'grantId'
>

/** Types whose amount is what moved or was billed, not the change of balance and overage. */
const movedAmounts: ReadonlySet<CreditTransactionType> = new Set([
  'credit_rolled_over',
  'overage_charged',
])

/** The twin of every decision: the next books, or the sentence that says what does not add up. */
export function apply(books: Books, entry: BookedEntry): Books | string {
  if (entry.number !== books.entries + 1) return `entry ${entry.number} follows ${books.entries}`
  if (entry.balanceBefore !== books.balance)
    return `entry ${entry.number}: balance_before is not the previous after`
  if (entry.overageBefore !== books.overage)
    return `entry ${entry.number}: overage_before is not the previous after`
  const balance = minus(entry.balanceAfter, entry.balanceBefore)
  const overage = minus(entry.overageAfter, entry.overageBefore)
  const moved = plus(sizeOf(balance), sizeOf(overage))
  if (!movedAmounts.has(entry.type) && moved !== entry.amount) {
    return `entry ${entry.number}: the amount is not what balance and overage changed by`
  }
  return {
    entries: entry.number,
    balance: entry.balanceAfter,
    overage: entry.overageAfter,
    grants: entry.grantId === null ? books.grants : grantsAfter(books, entry.grantId, balance),
  }
}

function grantsAfter(books: Books, grantId: string, change: Credits): ReadonlyMap<string, Credits> {
  const grants = new Map(books.grants)
  grants.set(grantId, plus(grants.get(grantId) ?? noCredits, change))
  return grants
}

/** Folds entries that a rule has just made: a rule that breaks the chain is a bug, not a refusal. */
export function applied(books: Books, entries: readonly BookedEntry[]): Books {
  return entries.reduce((sofar, entry) => {
    const next = apply(sofar, entry)
    assert(typeof next !== 'string', String(next))
    return next
  }, books)
}
