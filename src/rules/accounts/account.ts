import type { Instant } from '../../std/instant.ts'
import type { Credits } from './credits.ts'
import { minus, noCredits, plus } from './credits.ts'
import type { Placement } from './place.ts'
import { balanceOf } from './place.ts'
import type { OverageTerms } from './terms.ts'
import { noOverage } from './terms.ts'

export type GrantSource = 'subscription' | 'one_time' | 'addon' | 'api' | 'rollover'

/**
 * One lot of credits. How much it still holds is in the account's placements, at the same position.
 */
export interface Grant {
  readonly grantId: string
  /** Position in the order of creation within the account, which is the order of consumption. */
  readonly number: number
  readonly sourceType: GrantSource
  readonly sourceId: string | null
  readonly parentGrantId: string | null
  readonly rolloverCount: number
  readonly initial: Credits
  /** Start of the cycle that issued the grant; null: no cycle's end ends it. */
  readonly cycleAt: Instant | null
  readonly expiresAt: Instant | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly createdAt: Instant
}

/** A grant that has ended. `drawn`: what usage took of it in the end, less what was given back. */
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
  /** The worth that the last settling placed. */
  readonly charged: Credits
  /** The worth at the account's base. */
  readonly base: Credits
}

/**
 * One customer under one entitlement. `state` is place(base, what was charged since the base). Both
 * are caches of the fold of the account's entries: deleting them could cost time, but no
 * information.
 */
export interface Account {
  readonly precision: number
  /** Ledger entries so far; the next one is entries + 1. */
  readonly entries: number
  /** Grants so far; the next one is number grantsMade + 1. */
  readonly grantsMade: number
  /** Grants that have not ended, in consumption order. */
  readonly grants: readonly Grant[]
  /** Grants that have ended since the account was loaded; nothing is left in them. */
  readonly ended: readonly EndedGrant[]
  readonly base: Placement
  readonly state: Placement
  /** The overage terms under which the base was placed. */
  readonly overageTerms: OverageTerms
  /** The charges of usage that is not sealed. */
  readonly charges: readonly Charge[]
  /** What earlier cycles dropped, and what they could not return. */
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

/** What the usage since the base is worth, as far as it is settled. */
export const settledDemand = (account: Account): Credits =>
  account.charges.reduce(
    (total, charge) => plus(total, minus(charge.charged, charge.base)),
    noCredits,
  )

/**
 * Makes the present state the base, so that what was dropped before is never charged later.
 * [machines#settling]
 */
export const rebased = (account: Account): Account => ({
  ...account,
  base: account.state,
  charges: account.charges.map((charge) =>
    charge.base === charge.charged ? charge : { ...charge, base: charge.charged },
  ),
})

/**
 * The sum of what live grants hold, also of those whose expiry is due (they end when it is
 * applied).
 */
export const storedBalance = (account: Account): Credits => balanceOf(account.state)

export const isDue = (grant: Grant, at: Instant): boolean =>
  grant.expiresAt !== null && grant.expiresAt <= at

/** The balance as a read shows it: without grants whose expiry is due. [machines#settling] */
export function balanceAt(account: Account, at: Instant): Credits {
  return account.grants.reduce((total, grant, index) => {
    const holding = account.state.holdings[index]
    return holding === undefined || isDue(grant, at) ? total : plus(total, holding.remaining)
  }, noCredits)
}
