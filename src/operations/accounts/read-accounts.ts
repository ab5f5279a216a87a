import type { Accounts } from '../../parts/store/accounts.ts'
import type { ReadAccount } from '../../rules/accounts/read-account.ts'
import { readAccount } from '../../rules/accounts/read-account.ts'
import type { AccountKey, AccountView } from '../../rules/accounts/view.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import { accountIdOf } from './account-id.ts'

export interface AccountReading {
  readonly view: AccountView
  /** Null: nothing ever happened to the account. */
  readonly read: ReadAccount | null
}

/** The accounts as of now, in the order of `keys`: settled in memory, nothing is written. */
export async function readAccounts(
  { accounts, clock }: { readonly accounts: Pick<Accounts, 'load'>; readonly clock: Clock },
  keys: readonly AccountKey[],
): Promise<readonly AccountReading[]> {
  const views = await accounts.load(keys)
  return views.map((view) => readingOf(view, clock.now()))
}

export const readingOf = (view: AccountView, now: Instant): AccountReading => ({
  view,
  read: readAccount(view, now, accountIdOf),
})
