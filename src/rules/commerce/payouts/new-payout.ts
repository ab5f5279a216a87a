import assert from 'node:assert/strict'
import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import { laterOf } from '../../../std/instant.ts'
import type { BookedType, ChainedEntry, EntryTotal } from '../balances/balance-entry.ts'
import type { Currency } from '../currency.ts'
import type { Payout } from './payout.ts'

/** What a ledger holds that was not paid out. */
export interface Unpaid {
  readonly currency: Currency
  /** The newest entry of all; null: the ledger is empty. */
  readonly newest: ChainedEntry | null
  /** The number of the first entry that no payout has paid. */
  readonly from: number
  /** Of the entries from there on. */
  readonly totals: readonly EntryTotal[]
}

interface Paying {
  readonly name: string
  /** What the operator takes for paying out so much. */
  readonly feeOn: (amount: number) => number
  readonly at: Instant
}

/**
 * A payout of all that a ledger holds, less its fee; or, in a sentence, why there can be none.
 * [payouts#payouts]
 */
export function newPayout(
  newId: NewId,
  { currency, from, newest, totals }: Unpaid,
  { at, feeOn, name }: Paying,
): Payout | { readonly problem: string } {
  const unpaid = totals.reduce((sum, { total }) => sum + total, 0)
  if (newest === null || unpaid <= 0) {
    return { problem: `There is nothing to pay out: its ${currency} ledger holds ${unpaid}.` }
  }
  assert(unpaid === newest.balanceAfter, 'What is paid out is the balance.')
  const fee = feeOn(unpaid)
  if (fee >= unpaid) {
    return { problem: `Its ${currency} ledger holds ${unpaid}, but a payout's fee is ${fee}.` }
  }
  const createdAt = laterOf(at, newest.createdAt)
  return {
    payoutId: newId('pyt'),
    status: 'not_initiated',
    name,
    currency,
    amount: unpaid - fee,
    fee,
    refunds: takenBy(totals, ['refund']),
    chargebacks: takenBy(totals, ['dispute', 'dispute_reversal']),
    fromEntry: from,
    toEntry: newest.number + (fee > 0 ? 1 : 0),
    remarks: null,
    version: 1,
    createdAt,
    updatedAt: createdAt,
  }
}

function takenBy(totals: readonly EntryTotal[], types: readonly BookedType[]): number {
  const moved = totals.filter(({ eventType }) => types.includes(eventType))
  return 0 - moved.reduce((sum, { total }) => sum + total, 0)
}
