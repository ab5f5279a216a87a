import type { Projected } from '../../rules/accounts/project.ts'
import { project } from '../../rules/accounts/project.ts'
import { settlingTimeOf, timeOf } from '../../rules/accounts/time.ts'
import type { AccountKey, AccountView } from '../../rules/accounts/view.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import type { ReadAccount } from '../../wire/credit-balance.ts'
import type { AccountDesk } from './change.ts'
import { accountIdOf, changeAccounts, saveAll } from './change.ts'

/**
 * An account as of now (real time): settled in memory, so fresh to the last measured event; due
 * expiries are left out by who formats it. One that was set aside is read as it stands: settling it
 * fails. Null where nothing ever happened. [machines#settling]
 */
export function readAccount(view: AccountView, now: Instant): ReadAccount | null {
  if (view.entitlement === null) return null
  const at = timeOf([view], after(now, view.clockAhead))
  const { stored, key } = view
  const projected = settledInMemory(view, at)
  if (projected.account.entries === 0) return null
  const moved = projected.entries.length > 0
  return {
    accountId: stored?.accountId ?? accountIdOf(key),
    customerId: key.customerId,
    entitlementId: key.entitlementId,
    account: projected.account,
    at,
    createdAt: stored?.createdAt ?? at,
    updatedAt: moved ? at : (stored?.updatedAt ?? at),
    lastTransactionAt: moved ? at : (stored?.lastTransactionAt ?? null),
  }
}

function settledInMemory(view: AccountView, at: Instant): Pick<Projected, 'account' | 'entries'> {
  const { stored } = view
  return stored === null || stored.setAside === null
    ? project(view, at)
    : { account: stored.account, entries: [] }
}

/**
 * Settles and saves, so that the newest entry's *after* is the balance: what ledger reads begin
 * with. An account with nothing unsettled is left as it stands, and so is one that was set aside:
 * settling it fails. [machines#settling]
 */
export async function settleForReading(desk: AccountDesk, key: AccountKey): Promise<AccountView> {
  const [view] = await desk.accounts.load([key])
  if (view === undefined) throw new Error('An account key without a view.')
  if (view.unsettled.length === 0 || view.entitlement === null) return view
  if (view.stored?.setAside != null) return view
  await settleAccount(desk, key)
  return view
}

/** Settles and saves. */
export const settleAccount = (desk: AccountDesk, key: AccountKey): Promise<null> =>
  changeAccounts(desk, {
    operation: 'settle',
    customer: key,
    entitlementIds: [key.entitlementId],
    at: settlingTimeOf,
    decide: () => ({ commands: [() => null], write: saveAll(desk), answer: () => null }),
  })

const settledAtOnce = 100

/**
 * Settles and saves every account of an entitlement that has unsettled usage, each once: usage that
 * streams in meanwhile would keep it busy for ever.
 */
export async function settleAll(
  desk: AccountDesk,
  entitlement: Omit<AccountKey, 'customerId'>,
): Promise<void> {
  let behind = ''
  for (;;) {
    const keys = await desk.accounts.unsettledOf(entitlement, behind, settledAtOnce)
    for (const key of keys) await settleForReading(desk, key)
    const last = keys.at(-1)
    if (last === undefined) return
    behind = last.customerId
  }
}
