import type { Instant } from '../../std/instant.ts'
import type { Account } from './account.ts'
import { rebased } from './account.ts'
import type { Cause } from './cause.ts'
import { noCredits } from './credits.ts'
import { difference } from './entry.ts'
import type { Decided } from './settle.ts'

/** What a payment that was refunded had brought, as grants name it. */
export interface RefundedPurchase {
  readonly paymentId: string
  /** Null: it paid no subscription. */
  readonly subscriptionId: string | null
  /** When the payment succeeded, and its subscription's credits came. */
  readonly paidAt: Instant | null
}

/**
 * Takes back what is left of the credits that a refunded payment had brought, also where they have
 * rolled over. `brought`: the ids of the account's grants that it had brought, with those that came
 * of them by rolling. What was used stays used, and no balance falls below 0. Null: nothing is
 * left. The account must be settled first. Rebases. [refunds#credits]
 */
export function takeBack(
  account: Account,
  { brought, cause }: { readonly brought: ReadonlySet<string>; readonly cause: Cause },
  at: Instant,
): Decided | null {
  const holdings = account.state.holdings.map((holding, index) => {
    const grant = account.grants[index]
    return grant !== undefined && brought.has(grant.grantId)
      ? { ...holding, remaining: noCredits }
      : holding
  })
  const next = { ...account.state, holdings }
  const entries = difference(account, next, { type: 'refund', cause, at })
  if (entries.length === 0) return null
  return {
    account: {
      ...rebased({ ...account, state: next }),
      entries: account.entries + entries.length,
    },
    entries,
  }
}
