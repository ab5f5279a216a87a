import { orNotFound } from '../../faults.ts'
import type { Balances } from '../../parts/store/balances.ts'
import type { Payouts } from '../../parts/store/payouts.ts'
import type { Page, Scope } from '../../parts/store/scope.ts'
import type { ChainedEntry, EntryTotal } from '../../rules/commerce/balances/balance-entry.ts'
import type { Payout } from '../../rules/commerce/payouts/payout.ts'
import { entriesPaidBy } from '../../rules/commerce/payouts/payout.ts'

export interface ReadPayoutsNeeds {
  readonly balances: Balances
  readonly payouts: Payouts
}

/** What each kind of entries has in a payout: together its amount. 404 for an unknown payout. */
export async function readBreakup(
  needs: ReadPayoutsNeeds,
  scope: Scope,
  payoutId: string,
): Promise<readonly EntryTotal[]> {
  const payout = await readPayout(needs, scope, payoutId)
  return needs.balances.totals(scope, entriesPaidBy(payout))
}

/** The entries that a payout pays, oldest first. 404 for an unknown payout. [payouts#breakup] */
export async function readPaidEntries(
  needs: ReadPayoutsNeeds,
  scope: Scope,
  { page, payoutId }: { readonly page: Page; readonly payoutId: string },
): Promise<readonly ChainedEntry[]> {
  const payout = await readPayout(needs, scope, payoutId)
  return needs.balances.between(scope, entriesPaidBy(payout), page)
}

/** All of them, so many at a time. No entry ever changes: each reading gives the same. */
export async function readAllPaidEntries(
  needs: ReadPayoutsNeeds,
  scope: Scope,
  payoutId: string,
): Promise<() => AsyncIterable<readonly ChainedEntry[]>> {
  const payout = await readPayout(needs, scope, payoutId)
  const count = payout.toEntry - payout.fromEntry + 1
  return async function* () {
    for (let offset = 0; offset < count; offset += pieceMax) {
      yield await needs.balances.between(scope, entriesPaidBy(payout), { limit: pieceMax, offset })
    }
  }
}

const pieceMax = 1_000

const readPayout = async (
  { payouts }: ReadPayoutsNeeds,
  scope: Scope,
  payoutId: string,
): Promise<Payout> => orNotFound(await payouts.get(scope, payoutId), 'payout', payoutId)
