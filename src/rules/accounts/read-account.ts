import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import type { Account } from './account.ts'
import { timeOf } from './command-time.ts'
import { project } from './project.ts'
import type { Decided } from './settle.ts'
import type { AccountIdOf, AccountView } from './view.ts'

/** An account as a read shows it at `at`. */
export interface ReadAccount {
  readonly accountId: string
  readonly customerId: string
  readonly entitlementId: string
  readonly account: Account
  readonly at: Instant
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly lastTransactionAt: Instant | null
}

/** An account, and the name and unit of its credits. */
export interface HeldCredits {
  readonly name: string
  readonly unit: string
  readonly description: string | null
  readonly read: ReadAccount
}

/**
 * An account as of now (real time), settled in memory and so up to date to the last measured event.
 * It still holds credits whose expiry is due: views leave them out. An account that was set aside
 * is read as stored, because settling it fails. Null where nothing ever happened.
 * [machines#settling]
 */
export function readAccount(
  view: AccountView,
  now: Instant,
  accountIdOf: AccountIdOf,
): ReadAccount | null {
  if (view.entitlement === null) return null
  const at = timeOf([view], after(now, view.clockAhead))
  const { stored, key } = view
  const { account, entries } = settledInMemory(view, at)
  if (account.entries === 0) return null
  const moved = entries.length > 0
  return {
    accountId: stored?.accountId ?? accountIdOf(key),
    customerId: key.customerId,
    entitlementId: key.entitlementId,
    account,
    at,
    createdAt: stored?.createdAt ?? at,
    updatedAt: moved ? at : (stored?.updatedAt ?? at),
    lastTransactionAt: moved ? at : (stored?.lastTransactionAt ?? null),
  }
}

function settledInMemory(view: AccountView, at: Instant): Decided {
  const { stored } = view
  return stored === null || stored.setAside === null
    ? project(view, at)
    : { account: stored.account, entries: [] }
}
