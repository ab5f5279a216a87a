import assert from 'node:assert/strict'
import type { Instant } from '../../std/instant.ts'
import { after, day, earlierOf } from '../../std/instant.ts'
import type { CreditTransactionType } from '../facts/ledger-facts.ts'
import type { Account, Grant, GrantSource } from './account.ts'
import { balanceAt, isDue, rebased } from './account.ts'
import type { AccountRejection } from './account-rejection.ts'
import type { Cause } from './cause.ts'
import type { Credits } from './credits.ts'
import { formatCredits, minus, noCredits, plus, smaller } from './credits.ts'
import type { Entry } from './entry.ts'
import { difference } from './entry.ts'
import type { Placement } from './place.ts'
import { balanceOf } from './place.ts'
import type { Decided } from './settle.ts'

/** A command that adds a new lot of credits, wherever they come from. */
export interface GrantCommand {
  readonly grantId: string
  readonly amount: Credits
  readonly source: { readonly type: GrantSource; readonly id: string | null }
  readonly cycleAt: Instant | null
  readonly expiresAt: Instant | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** `credit_added` for cycles and purchases, `manual_adjustment` for the API. [credits#grants] */
  readonly entryType: CreditTransactionType
  readonly cause: Cause
}

/** Adds a grant at the end of the consumption order. The account must be settled first. Rebases. */
export function grant(account: Account, command: GrantCommand, at: Instant): Decided {
  assert(command.amount > 0n)
  const made: Grant = {
    grantId: command.grantId,
    number: account.grantsMade + 1,
    sourceType: command.source.type,
    sourceId: command.source.id,
    parentGrantId: null,
    rolloverCount: 0,
    initial: command.amount,
    cycleAt: command.cycleAt,
    expiresAt: command.expiresAt,
    metadata: command.metadata,
    createdAt: at,
  }
  const opened: Account = {
    ...account,
    grantsMade: made.number,
    grants: [...account.grants, made],
    state: withHolding(account.state, noCredits),
  }
  const filled = withHolding(account.state, command.amount)
  const entries = difference(opened, filled, { type: command.entryType, cause: command.cause, at })
  return rebasedWith({ ...opened, state: filled }, entries)
}

const withHolding = (placement: Placement, remaining: Credits): Placement => ({
  ...placement,
  holdings: [...placement.holdings, { remaining, drawn: noCredits }],
})

/**
 * When a grant that begins at `at` and lives for `days` (null: for ever) ends. [credits#grants]
 */
export const expiryAfter = (days: number | null, at: Instant): Instant | null =>
  days === null ? null : after(at, days * day)

/** The earlier of two ends; null means that there is no end. */
export const earliest = (a: Instant | null, b: Instant | null): Instant | null => {
  if (a === null || b === null) return a ?? b
  return earlierOf(a, b)
}

export interface Debit {
  readonly amount: Credits
  readonly cause: Cause
}

/**
 * A manual debit: from the oldest grant on, never from those that are due, never into overage; all
 * of it or nothing. The account must be settled first. Rebases. [resources#adjustments,
 * credits#who-pays-first, credits#ledger]
 */
export function debit(account: Account, command: Debit, at: Instant): Decided | AccountRejection {
  assert(command.amount > 0n)
  const available = balanceAt(account, at)
  if (available < command.amount) {
    const has = formatCredits(available, account.precision)
    const wants = formatCredits(command.amount, account.precision)
    const problem = `The balance is ${has} credits; a debit of ${wants} needs at least as many.`
    return { code: 'INSUFFICIENT_BALANCE', problem }
  }
  let rest = command.amount
  const holdings = account.state.holdings.map((holding, index) => {
    const of = account.grants[index]
    if (of === undefined || isDue(of, at)) return holding
    const taken = smaller(holding.remaining, rest)
    rest = minus(rest, taken)
    return { ...holding, remaining: minus(holding.remaining, taken) }
  })
  assert(rest === 0n)
  const next = { ...account.state, holdings }
  const write = { type: 'manual_adjustment' as const, cause: command.cause, at }
  const entries = difference(account, next, write)
  assert(plus(balanceOf(next), command.amount) === balanceOf(account.state))
  return rebasedWith({ ...account, state: next }, entries)
}

/** Every command ends in a rebase, even one that moves nothing. [machines#settling] */
const rebasedWith = (account: Account, entries: readonly Entry[]): Decided => ({
  account: { ...rebased(account), entries: account.entries + entries.length },
  entries,
})
