import { addIntervals } from '../../std/calendar.ts'
import type { Instant } from '../../std/instant.ts'
import type { Account, Grant } from './account.ts'
import type { Credits } from './credits.ts'
import { credits, formatCredits, minus, noCredits, plus } from './credits.ts'
import type { EarlyEnd } from './early-end.ts'
import { causeOf, holdingOf, takeFrom } from './ending.ts'
import { standing } from './entry.ts'
import type { Decided } from './settle.ts'
import type { RolloverTerms } from './terms.ts'

/** What rolling over needs to know, at a cycle's end or at the end of a timeframe. */
export interface Rolling {
  readonly subscriptionId: string
  readonly at: Instant
  /** Where the cycle that begins, or is open, at `at` ends; null: not known while it is paused. */
  readonly nextEnd: Instant | null
  readonly rollover: RolloverTerms
  /** Absent: the cycle came to its planned end. */
  readonly early?: EarlyEnd
  readonly newGrantId: () => string
}

/**
 * Moves the percentage to a new grant, or forfeits everything at the maximum count.
 * [credits#rollover]
 */
export function rollOne(decided: Decided, of: Grant, end: Rolling): Decided {
  const { countMax } = end.rollover
  const holding = holdingOf(decided.account, of.grantId)
  if (holding === 0n) return decided
  if (countMax !== null && of.rolloverCount >= countMax) {
    return takeFrom(decided, of, {
      type: 'rollover_forfeited',
      cause: causeOf(end, { rule: 'rollover_forfeited', rolloverCount: of.rolloverCount }),
      at: end.at,
    })
  }
  const moved = rolledPart(holding, end.rollover)
  return moved === 0n ? decided : move(decided, { of, moved }, end)
}

/**
 * Without a percentage everything rolls over; fractions below the precision are cut off.
 * [credits#rollover]
 */
export const rolledPart = (unused: Credits, { percentage }: RolloverTerms): Credits =>
  credits((unused * BigInt(percentage ?? 100)) / 100n)

/**
 * Moves credits to a new grant. The balance does not change, so "before" and "after" are the same.
 * [credits#cycle-end]
 */
function move(
  decided: Decided,
  { of, moved }: { readonly of: Grant; readonly moved: Credits },
  end: Rolling,
): Decided {
  const { account } = decided
  const rolled: Grant = {
    ...of,
    grantId: end.newGrantId(),
    number: account.grantsMade + 1,
    sourceType: 'rollover',
    parentGrantId: of.grantId,
    rolloverCount: of.rolloverCount + 1,
    initial: moved,
    cycleAt: null,
    expiresAt: rolledEnd(end),
    createdAt: end.at,
  }
  const { state } = account
  const holdings = state.holdings.map((holding, index) =>
    account.grants[index]?.grantId === of.grantId
      ? { ...holding, remaining: minus(holding.remaining, moved) }
      : holding,
  )
  const next: Account = {
    ...account,
    entries: account.entries + 1,
    grantsMade: rolled.number,
    grants: [...account.grants, rolled],
    state: { ...state, holdings: [...holdings, { remaining: moved, drawn: noCredits }] },
  }
  const ending = {
    rule: 'credit_rolled_over' as const,
    parentGrantId: of.grantId,
    percentage: end.rollover.percentage ?? 100,
    unused: formatCredits(plus(holdingOf(next, of.grantId), moved), account.precision),
  }
  const entry = standing(account, {
    type: 'credit_rolled_over',
    isCredit: true,
    amount: moved,
    grantId: rolled.grantId,
    cause: causeOf(end, ending),
    at: end.at,
  })
  return { account: next, entries: [...decided.entries, entry] }
}

/** The end of its timeframe, or without one the end of the next cycle. [credits#rollover] */
function rolledEnd({ at, nextEnd, rollover }: Rolling): Instant | null {
  return rollover.timeframe === null ? nextEnd : addIntervals(at, rollover.timeframe, 1)
}
