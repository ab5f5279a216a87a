import assert from 'node:assert/strict'
import type { Instant } from '../../std/instant.ts'
import type { OverageBehavior } from '../commerce/catalog/credit-settings.ts'
import type { Account, Grant } from './account.ts'
import { isDue, rebased } from './account.ts'
import { noCause } from './cause.ts'
import type { GrantCommand } from './commands.ts'
import { grant } from './commands.ts'
import { formatCredits, minus, noCredits, plus, smaller } from './credits.ts'
import { earlyInputs } from './early-end.ts'
import { causeOf, ended, takeFrom } from './ending.ts'
import { standing } from './entry.ts'
import type { OverageClosing } from './overage-reset.ts'
import { resetOverage } from './overage-reset.ts'
import type { Rolling } from './rollover.ts'
import { rollOne } from './rollover.ts'
import type { Decided } from './settle.ts'

/** The end of one cycle of a subscription, for one account. */
export interface CycleEnd extends Rolling {
  /** Start of the cycle that ends at `at`. */
  readonly cycleAt: Instant
  /**
   * Whether the cycle is a trial: credits that expire with it never roll over.
   * [subscriptions#trials]
   */
  readonly isTrial: boolean
  /** Null: another subscription governs the account's overage. [meters#who-takes-the-usage] */
  readonly overage: { readonly behavior: OverageBehavior } | null
  /** The next cycle's credits; null: its renewal was not paid. [credits#cycle-end] */
  readonly next: GrantCommand | null
}

/**
 * Closes one cycle and opens the next. In this order: credits roll over or are forfeited, credits
 * expire, overage is charged, overage is reset, credits are added, overage is repaid. The closed
 * cycle's usage must be settled first. Rebases. [credits#cycle-end, credits#rollover,
 * credits#overage]
 */
export function endCycle(account: Account, end: CycleEnd): Decided {
  const steps: readonly ((decided: Decided) => Decided)[] = [
    (decided) => rollGrants(decided, end),
    (decided) => expireGrants(decided, end),
    (decided) => closeOverage(decided, end),
    (decided) => openNext(decided, end),
  ]
  const decided = steps.reduce((sofar, step) => step(sofar), { account, entries: [] } as Decided)
  const opened = end.overage === null ? decided.account : cleared(decided.account)
  return { account: rebased(opened), entries: decided.entries }
}

const closeOverage = (decided: Decided, { overage, early, at }: CycleEnd): Decided =>
  overage === null
    ? decided
    : resetOverage(decided, early === undefined ? overage : { ...overage, early }, at)

/**
 * Sets `dropped` and `unreturned` to 0, as at the start of each cycle; the books keep what they
 * were. [machines#settling]
 */
export function cleared(account: Account): Account {
  const { state, closed } = account
  return {
    ...account,
    state: { ...state, dropped: noCredits, unreturned: noCredits },
    closed: {
      dropped: plus(closed.dropped, state.dropped),
      unreturned: plus(closed.unreturned, state.unreturned),
    },
  }
}

/**
 * Closes a cycle as far as overage goes, whatever becomes of its grants: at the end of an account's
 * own calendar month, or when a subscription's terms no longer hold for the account. The account
 * must be settled first. Rebases. [meters#who-takes-the-usage, credits#overage]
 */
export function resetCycle(account: Account, closing: OverageClosing, at: Instant): Decided {
  const decided = resetOverage({ account, entries: [] }, closing, at)
  return { account: rebased(cleared(decided.account)), entries: decided.entries }
}

/**
 * Whether this cycle end touches a grant: one of the cycle itself, or a rolled one that is due.
 * [credits#rollover]
 */
const isOfCycle = (of: Grant, end: CycleEnd): boolean =>
  of.sourceType === 'subscription' &&
  of.sourceId === end.subscriptionId &&
  of.cycleAt !== null &&
  of.cycleAt <= end.cycleAt

/** Whether an expiry of its own ended the grant before the cycle's end. [credits#cycle-end] */
const endedSooner = (of: Grant, end: CycleEnd): boolean =>
  of.expiresAt !== null && of.expiresAt < end.at

const isDueRoll = (of: Grant, end: CycleEnd): boolean =>
  of.sourceType === 'rollover' && of.sourceId === end.subscriptionId && isDue(of, end.at)

/**
 * With rollover on, a percentage of what is left of each grant moves to a new grant; at the maximum
 * count all of it is forfeited. Rolled grants keep the order of the grants that they came from. A
 * trial's credits expire. [credits#rollover, credits#cycle-end, subscriptions#trials]
 */
function rollGrants(decided: Decided, end: CycleEnd): Decided {
  if (!end.rollover.enabled) return decided
  const rolling = decided.account.grants.filter(
    (of) => (isOfCycle(of, end) && !end.isTrial && !endedSooner(of, end)) || isDueRoll(of, end),
  )
  return rolling.reduce((sofar, of) => rollOne(sofar, of, end), decided)
}

/**
 * Ends a rolled grant at the end of its own timeframe, in the middle of a cycle: while its count is
 * below the maximum it rolls again, else it is forfeited. The account must be settled first.
 * Rebases. [credits#rollover]
 */
export function endRolled(account: Account, grantId: string, end: Rolling): Decided {
  const of = account.grants.find((each) => each.grantId === grantId)
  assert(of !== undefined && of.sourceType === 'rollover' && isDue(of, end.at))
  const rolled = end.rollover.enabled
    ? rollOne({ account, entries: [] }, of, end)
    : { account, entries: [] }
  const cause = causeOf(end, { rule: 'expiry', grantId })
  const decided = ended(takeFrom(rolled, of, { type: 'credit_expired', cause, at: end.at }), of)
  return { account: rebased(decided.account), entries: decided.entries }
}

/**
 * Expires what is left of the cycle's grants, and every grant whose own expiry is due. Due credits
 * that another subscription rolled over are left alone: they have an end of their own, at which
 * they may roll again. [credits#cycle-end, credits#rollover]
 */
function expireGrants(decided: Decided, end: CycleEnd): Decided {
  const ending = decided.account.grants.filter(
    (of) =>
      isOfCycle(of, end) ||
      isDueRoll(of, end) ||
      (of.sourceType !== 'rollover' && isDue(of, end.at)),
  )
  return ending.reduce((sofar, of) => {
    const cause = causeOf(end, { rule: 'cycle_end' })
    return ended(takeFrom(sofar, of, { type: 'credit_expired', cause, at: end.at }), of)
  }, decided)
}

/**
 * Ends one grant by its own expiry, in the middle of a cycle. The account must be settled first.
 * Rebases. [credits#rollover]
 */
export const expireGrant = (account: Account, grantId: string, at: Instant): Decided =>
  endOne(account, { grantId, rule: 'expiry' }, at)

/**
 * Ends a grant of a subscription that is over, where its cycle would have ended, or by its own
 * expiry, if sooner; it never rolls over. The account must be settled first. Rebases.
 * [credits#endings]
 */
export const endLast = (account: Account, grantId: string, at: Instant): Decided =>
  endOne(account, { grantId, rule: 'last_cycle_end' }, at)

function endOne(
  account: Account,
  inputs: { readonly grantId: string; readonly rule: 'expiry' | 'last_cycle_end' },
  at: Instant,
): Decided {
  const of = account.grants.find((each) => each.grantId === inputs.grantId)
  assert(of !== undefined && isDue(of, at))
  const cause = { ...noCause, inputs }
  const taken = takeFrom({ account, entries: [] }, of, { type: 'credit_expired', cause, at })
  const decided = ended(taken, of)
  return { account: rebased(decided.account), entries: decided.entries }
}

/** What a new cycle begins with. */
type Opening = Pick<CycleEnd, 'next' | 'overage' | 'at' | 'early'>

/**
 * Adds the credits of the open cycle once its renewal was paid. The account must be settled first.
 * Rebases. [credits#cycle-end, subscriptions#renewals]
 */
export function payCycle(account: Account, opening: Opening): Decided {
  const decided = openNext({ account, entries: [] }, opening)
  return { account: rebased(decided.account), entries: decided.entries }
}

/**
 * Adds the next cycle's credits; with auto-repay these first pay the overage that was carried over.
 * [credits#overage, credits#cycle-end]
 */
function openNext(decided: Decided, end: Opening): Decided {
  if (end.next === null) return decided
  const added = grant(decided.account, end.next, end.at)
  const sofar = { account: added.account, entries: [...decided.entries, ...added.entries] }
  if (end.overage?.behavior !== 'carry_deficit_auto_repay') return sofar
  return repay(sofar, end.next, end)
}

/**
 * Lowers balance and overage together. Only the cycle's own grant repays, and the entry has the
 * same reference as the grant. [credits#cycle-end]
 */
function repay(
  decided: Decided,
  { grantId, cause }: GrantCommand,
  { at, early }: Pick<CycleEnd, 'at' | 'early'>,
): Decided {
  const { account } = decided
  const { state } = account
  const index = account.grants.findIndex((each) => each.grantId === grantId)
  const holding = state.holdings[index]
  assert(holding !== undefined)
  const repaid = smaller(holding.remaining, state.overage)
  if (repaid === 0n) return decided
  const entry = standing(account, {
    type: 'credit_deducted',
    isCredit: false,
    amount: repaid,
    grantId,
    cause: {
      ...cause,
      description: null,
      inputs: {
        rule: 'auto_repayment',
        overage: formatCredits(state.overage, account.precision),
        grantId,
        endedAt: at,
        ...earlyInputs(early),
      },
    },
    at,
    moves: { balance: -repaid, overage: -repaid },
  })
  const holdings = state.holdings.with(index, {
    ...holding,
    remaining: minus(holding.remaining, repaid),
  })
  return {
    account: {
      ...account,
      entries: account.entries + 1,
      state: { ...state, holdings, overage: minus(state.overage, repaid) },
    },
    entries: [...decided.entries, entry],
  }
}
