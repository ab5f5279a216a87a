import { orNotFound } from '../../faults.ts'
import type { Accounts } from '../../parts/store/accounts.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Ledger } from '../../parts/store/ledger.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { HeldCredits } from '../../rules/accounts/read-account.ts'
import type { Clock } from '../../runtime/clock.ts'
import { readAccounts } from '../accounts/read-accounts.ts'

export interface CustomerCreditsNeeds {
  readonly accounts: Accounts
  readonly customers: Customers
  readonly ledger: Ledger
  readonly clock: Clock
}

/**
 * Every entitlement under which the customer has a balance, balances of 0 included, up to date to
 * the last measured event. Deleted entitlements are left out, as everywhere. 404 for an unknown
 * customer. [resources#customers]
 */
export async function customerCredits(
  { accounts, customers, ledger, clock }: CustomerCreditsNeeds,
  scope: Scope,
  customerId: string,
): Promise<readonly HeldCredits[]> {
  orNotFound(await customers.get(scope, customerId), 'customer', customerId)
  const keys = await ledger.touchedBy(scope, customerId)
  const readings = await readAccounts({ accounts, clock }, keys)
  return readings.flatMap(({ view, read }) => {
    const { entitlement } = view
    if (entitlement === null || entitlement.deleted || read === null) return []
    const { description, name, unit } = entitlement
    return [{ description, name, unit, read }]
  })
}
