import type { CreditTransactionType } from '../facts/ledger-facts.ts'
import type { RecordedInputs } from './cause.ts'
import type { Credits } from './credits.ts'
import { minus, noCredits, plus, sizeOf } from './credits.ts'
import type { Entry } from './entry.ts'

/**
 * An account as its entries alone describe it; verify compares the stored account with it.
 * [guarantees#books-that-add-up]
 */
export interface Replay {
  readonly entries: number
  readonly balance: Credits
  readonly overage: Credits
  /** What each grant that was ever seen still holds. */
  readonly grants: ReadonlyMap<string, Credits>
}

export const emptyReplay: Replay = {
  entries: 0,
  balance: noCredits,
  overage: noCredits,
  grants: new Map(),
}

export type ReplayedEntry = Pick<
  Entry,
  | 'number'
  | 'type'
  | 'amount'
  | 'balanceBefore'
  | 'balanceAfter'
  | 'overageBefore'
  | 'overageAfter'
  | 'grantId'
> & {
  /** For a rollover, `parent_grant_id`: where the credits came from. */
  readonly cause: { readonly inputs: RecordedInputs | null }
}

/** Types whose amount is what was moved or billed, not the change of balance and overage. */
const movedAmounts: ReadonlySet<CreditTransactionType> = new Set([
  'credit_rolled_over',
  'overage_charged',
])

/**
 * The account after one more entry, or a sentence that says what does not add up. It is written
 * apart from the code that decides, so that each checks the other.
 */
export function replayEntry(replay: Replay, entry: ReplayedEntry): Replay | string {
  if (entry.number !== replay.entries + 1) return `entry ${entry.number} follows ${replay.entries}`
  if (entry.balanceBefore !== replay.balance)
    return `entry ${entry.number}: balance_before is not the previous after`
  if (entry.overageBefore !== replay.overage)
    return `entry ${entry.number}: overage_before is not the previous after`
  const balance = minus(entry.balanceAfter, entry.balanceBefore)
  const overage = minus(entry.overageAfter, entry.overageBefore)
  if (!movedAmounts.has(entry.type) && entry.amount !== amountOf(balance, overage)) {
    return `entry ${entry.number}: the amount is not what balance and overage changed by`
  }
  const grants = grantsAfter(replay, entry, balance)
  if (grants === null) return `entry ${entry.number}: a roll does not say from which grant`
  return {
    entries: entry.number,
    balance: entry.balanceAfter,
    overage: entry.overageAfter,
    grants,
  }
}

/**
 * The amount of a change. A repayment takes the same credits from balance and overage, and counts
 * them once. [credits#rollover]
 */
function amountOf(balance: Credits, overage: Credits): Credits {
  const repays = balance < 0n && overage < 0n
  return repays && balance === overage ? sizeOf(balance) : plus(sizeOf(balance), sizeOf(overage))
}

/**
 * A rollover leaves the balance as it is: its credits go from one grant to another.
 * [credits#cycle-end]
 */
function grantsAfter(
  { grants }: Replay,
  { type, grantId, amount, cause }: ReplayedEntry,
  change: Credits,
): ReadonlyMap<string, Credits> | null {
  if (type !== 'credit_rolled_over')
    return grantId === null ? grants : moved(grants, grantId, change)
  const { inputs } = cause
  const parent = inputs?.rule === 'credit_rolled_over' ? inputs.parentGrantId : undefined
  if (parent === undefined || grantId === null) return null
  return moved(moved(grants, parent, minus(noCredits, amount)), grantId, amount)
}

const moved = (
  grants: ReadonlyMap<string, Credits>,
  grantId: string,
  change: Credits,
): ReadonlyMap<string, Credits> =>
  new Map(grants).set(grantId, plus(grants.get(grantId) ?? noCredits, change))
