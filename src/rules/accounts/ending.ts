import assert from 'node:assert/strict'
import type { Instant } from '../../std/instant.ts'
import type { Account, Grant } from './account.ts'
import type { Cause, EndRule } from './cause.ts'
import { noCause } from './cause.ts'
import type { Credits } from './credits.ts'
import { noCredits } from './credits.ts'
import type { EarlyEnd } from './early-end.ts'
import { earlyInputs } from './early-end.ts'
import { difference } from './entry.ts'
import type { Decided } from './settle.ts'

/** Takes everything that a grant holds out of the balance. Makes no entry where nothing is left. */
export function takeFrom(
  decided: Decided,
  of: Grant,
  write: Parameters<typeof difference>[2],
): Decided {
  const { account } = decided
  const holdings = account.state.holdings.map((holding, index) =>
    account.grants[index]?.grantId === of.grantId ? { ...holding, remaining: noCredits } : holding,
  )
  const next = { ...account.state, holdings }
  const entries = difference(account, next, write)
  return {
    account: { ...account, state: next, entries: account.entries + entries.length },
    entries: [...decided.entries, ...entries],
  }
}

/** A grant ends even when nothing is left in it. [machines#settling] */
export function ended(decided: Decided, of: Grant): Decided {
  const { account } = decided
  const index = account.grants.findIndex((each) => each.grantId === of.grantId)
  assert(index >= 0 && account.state.holdings[index]?.remaining === 0n)
  const without = <T>(all: readonly T[]): readonly T[] => all.toSpliced(index, 1)
  const { state, base } = account
  return {
    account: {
      ...account,
      grants: without(account.grants),
      ended: [...account.ended, { grant: of, drawn: state.holdings[index]?.drawn ?? noCredits }],
      state: { ...state, holdings: without(state.holdings) },
      // A grant that was made since the base is not in the base.
      base: {
        ...base,
        holdings: index < base.holdings.length ? without(base.holdings) : base.holdings,
      },
    },
    entries: decided.entries,
  }
}

/** What a live grant holds. */
export const holdingOf = (account: Account, grantId: string): Credits => {
  const index = account.grants.findIndex((each) => each.grantId === grantId)
  return account.state.holdings[index]?.remaining ?? noCredits
}

/** The cause of entries that a subscription's cycle, or the end of one of its grants, brings. */
export const causeOf = (
  end: { readonly subscriptionId: string; readonly at: Instant; readonly early?: EarlyEnd },
  of: EndRule,
): Cause => ({
  ...noCause,
  referenceType: 'subscription',
  referenceId: end.subscriptionId,
  inputs: { ...of, endedAt: end.at, ...earlyInputs(end.early) },
})
