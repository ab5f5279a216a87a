import type { Instant } from '../../std/instant.ts'
import type { Credits } from './credits.ts'
import { minus, noCredits, plus } from './credits.ts'
import type { Placement } from './place.ts'
import { balanceOf } from './place.ts'
import type { OverageTerms } from './terms.ts'
import { noOverage } from './terms.ts'

export type GrantSource = 'subscription' | 'one_time' | 'addon' | 'api' | 'rollover'

/** One lot of credits. What it holds is in the account's placements, at the same position. */
export interface Grant {
  readonly grantId: string
  /** Position in the order of creation within the account, which is the order of consumption. */
  readonly number: number
  readonly sourceType: GrantSource
  readonly sourceId: string | null
  readonly parentGrantId: string | null
  readonly rolloverCount: number
  readonly initial: Credits
  /** Start of the cycle that issued it; null for one that no cycle ends. */
  readonly cycleAt: Instant | null
  readonly expiresAt: Instant | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly createdAt: Instant
}

/** `drawn`: what usage took of it in the end, net. */
export interface EndedGrant {
  readonly grant: Grant
  readonly drawn: Credits
}

/** The worth of one cycle's usage of a meter through one route. */
export interface Charge {
  readonly routeId: string
  readonly meterId: string
  /** Start of the cycle. */
  readonly cycleAt: Instant
  /** Placed by the last settling. */
  readonly charged: Credits
  /** At the base. */
  readonly base: Credits
}

/**
 * One customer under one entitlement. `state` is place(base, what was charged since the base); both
 * are caches of the fold of the account's entries, which deleting may cost time, never meaning.
 */
export interface Account {
  readonly precision: number
  /** Ledger entries so far; the next one is entries + 1. */
  readonly entries: number
  /** Grants so far; the next one is number grantsMade + 1. */
  readonly grantsMade: number
  /** Those that have not ended, in consumption order. */
  readonly grants: readonly Grant[]
  /** Those that have ended since the account was loaded: nothing is left in them. */
  readonly ended: readonly EndedGrant[]
  readonly base: Placement
  readonly state: Placement
  /** The terms that the base was placed under. */
  readonly overageTerms: OverageTerms
  /** Of usage that is not sealed. */
  readonly charges: readonly Charge[]
  /** What earlier cycles dropped and left unreturned. */
  readonly closed: {
    readonly dropped: Credits
    readonly unreturned: Credits
  }
}

const nothing: Placement = {
  holdings: [],
  overage: noCredits,
  dropped: noCredits,
  unreturned: noCredits,
}

export const emptyAccount = (precision: number): Account => ({
  precision,
  entries: 0,
  grantsMade: 0,
  grants: [],
  ended: [],
  base: nothing,
  state: nothing,
  overageTerms: noOverage,
  charges: [],
  closed: { dropped: noCredits, unreturned: noCredits },
})

/** What usage was worth since the base, as far as it is settled. */
export const settledDemand = (account: Account): Credits =>
  account.charges.reduce(
    (total, charge) => plus(total, minus(charge.charged, charge.base)),
    noCredits,
  )

/**
 * The present state becomes the base: what was dropped before is never charged later.
 * [machines#settling]
 */
export const rebased = (account: Account): Account => ({
  ...account,
  base: account.state,
  charges: account.charges.map((charge) =>
    charge.base === charge.charged ? charge : { ...charge, base: charge.charged },
  ),
})

/** The sum of what live grants hold, due expiries included (they end when they are applied). */
export const storedBalance = (account: Account): Credits => balanceOf(account.state)

export const isDue = (grant: Grant, at: Instant): boolean =>
  grant.expiresAt !== null && grant.expiresAt <= at

/** The balance as a read shows it: due expiries left out. [machines#settling] */
export function balanceAt(account: Account, at: Instant): Credits {
  return account.grants.reduce((total, grant, index) => {
    const holding = account.state.holdings[index]
    return holding === undefined || isDue(grant, at) ? total : plus(total, holding.remaining)
  }, noCredits)
}
