import assert from 'node:assert/strict'
import type { Instant } from '../../std/instant.ts'
import type { CreditTransactionType } from '../facts/ledger-facts.ts'
import type { Account } from './account.ts'
import type { Cause } from './cause.ts'
import type { Credits } from './credits.ts'
import { credits, minus, plus, sizeOf } from './credits.ts'
import type { Placement } from './place.ts'
import { balanceOf } from './place.ts'

/**
 * One change of an account. It touches one grant or, with grantId null, the overage.
 * [credits#ledger]
 */
export interface Entry {
  /** 1, 2, 3 … within the account, without gaps. */
  readonly number: number
  readonly type: CreditTransactionType
  readonly isCredit: boolean
  readonly amount: Credits
  readonly balanceBefore: Credits
  readonly balanceAfter: Credits
  readonly overageBefore: Credits
  readonly overageAfter: Credits
  readonly grantId: string | null
  readonly cause: Cause
  readonly at: Instant
}

/** What all entries of one change have in common. */
type Write = Pick<Entry, 'type' | 'cause' | 'at'>

/** How an entry moves the grant, or the overage, that it touches. */
interface Movement {
  readonly grantIndex: number | null
  readonly balance: bigint
  readonly overage: bigint
}

/**
 * The entries that lead from one placement to the next: one for each grant touched, and one for the
 * overage. A rise takes from grants, oldest first, then adds overage; a fall relieves overage, then
 * gives back to grants, youngest first. Each entry's "before" is the "after" of the entry before
 * it. [credits#cycle-end]
 */
export function difference(account: Account, next: Placement, write: Write): readonly Entry[] {
  const { state } = account
  assert(next.holdings.length === state.holdings.length)
  const grants: Movement[] = state.holdings.map((holding, index) => ({
    grantIndex: index,
    balance: (next.holdings[index]?.remaining ?? 0n) - holding.remaining,
    overage: 0n,
  }))
  const overage: Movement = {
    grantIndex: null,
    balance: 0n,
    overage: next.overage - state.overage,
  }
  const falls = balanceOf(next) > balanceOf(state) || next.overage < state.overage
  const ordered = falls ? [overage, ...grants.toReversed()] : [...grants, overage]
  return chain(account, ordered.filter(moves), write)
}

const moves = (movement: Movement): boolean => movement.balance !== 0n || movement.overage !== 0n

/** Numbers the movements, and carries the running balance and overage through them. */
function chain(account: Account, movements: readonly Movement[], write: Write): readonly Entry[] {
  let balance = balanceOf(account.state)
  let { overage } = account.state
  return movements.map((movement, index) => {
    const before = { balance, overage }
    balance = plus(balance, credits(movement.balance))
    overage = plus(overage, credits(movement.overage))
    return {
      number: account.entries + index + 1,
      type: write.type,
      ...moved(account, movement, { before, next: { balance, overage } }),
      cause: write.cause,
      at: write.at,
    }
  })
}

interface Sums {
  readonly balance: Credits
  readonly overage: Credits
}

function moved(
  account: Account,
  movement: Movement,
  { before, next }: { readonly before: Sums; readonly next: Sums },
): Omit<Entry, 'number' | keyof Write> {
  const grant = movement.grantIndex === null ? undefined : account.grants[movement.grantIndex]
  assert(movement.grantIndex === null || grant !== undefined)
  return {
    isCredit: movement.balance > 0n || movement.overage < 0n,
    amount: plus(
      sizeOf(minus(next.balance, before.balance)),
      sizeOf(minus(next.overage, before.overage)),
    ),
    balanceBefore: before.balance,
    balanceAfter: next.balance,
    overageBefore: before.overage,
    overageAfter: next.overage,
    grantId: grant?.grantId ?? null,
  }
}

/**
 * An entry that is not the difference between two placements: a rollover, a charge, a repayment.
 */
export function standing(
  account: Account,
  write: Pick<Entry, 'type' | 'isCredit' | 'amount' | 'grantId' | 'cause' | 'at'> & {
    /** How balance and overage change. Absent: they do not. [credits#cycle-end] */
    readonly moves?: { readonly balance: bigint; readonly overage: bigint }
  },
): Entry {
  const { moves: change = { balance: 0n, overage: 0n }, ...rest } = write
  const balance = balanceOf(account.state)
  const { overage } = account.state
  return {
    ...rest,
    number: account.entries + 1,
    balanceBefore: balance,
    balanceAfter: credits(balance + change.balance),
    overageBefore: overage,
    overageAfter: credits(overage + change.overage),
  }
}
