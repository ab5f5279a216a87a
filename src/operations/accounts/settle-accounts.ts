import { settlingTimeOf } from '../../rules/accounts/command-time.ts'
import type { AccountKey, AccountView } from '../../rules/accounts/view.ts'
import type { AccountNeeds } from './change-accounts.ts'
import { changeAccounts } from './change-accounts.ts'

/**
 * Settles and saves, so that the newest entry's balance is the present one; ledger reads begin with
 * this. Leaves alone an account with nothing unsettled, and one that was set aside because settling
 * it fails. [machines#settling]
 */
export async function settleForReading(desk: AccountNeeds, key: AccountKey): Promise<AccountView> {
  const [view] = await desk.accounts.load([key])
  if (view === undefined) throw new Error('An account key without a view.')
  if (view.unsettled.length === 0 || view.entitlement === null) return view
  if (view.stored?.setAside != null) return view
  await settleAccount(desk, key)
  return view
}

/** Settles one account and saves it. */
export const settleAccount = (desk: AccountNeeds, key: AccountKey): Promise<null> =>
  changeAccounts(desk, {
    operation: 'settle',
    customer: key,
    entitlementIds: [key.entitlementId],
    at: settlingTimeOf,
    decide: () => ({ commands: [() => null], answer: () => null }),
  })

const settledAtOnce = 100

/**
 * Settles and saves every account of an entitlement with unsettled usage, each once: usage that
 * keeps coming in would make this endless otherwise.
 */
export async function settleAll(
  desk: AccountNeeds,
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
