import type { RecordedGrant } from '../../rules/accounts/recorded-grant.ts'
import type { AccountKey } from '../../rules/accounts/view.ts'
import type { CreditTransactionType } from '../../rules/facts/ledger-facts.ts'
import type { RecordedEntry } from '../../rules/facts/recorded-entry.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

/** `active`: neither past its end nor used up; `depleted`: nothing left. [credits#grants] */
export type GrantStatus = 'active' | 'expired' | 'depleted'

/** What lists need of accounts, as it is stored: settle first where it must be fresh. */
export interface Ledger {
  /** Accounts of an entitlement with at least one entry, newest first. */
  accountsOf(
    scope: Scope,
    filter: { readonly entitlementId: string | null; readonly customerId: string | null },
    page: Page,
  ): Promise<readonly AccountKey[]>

  /**
   * Accounts of a customer that were ever changed, and those that its usage will create, newest
   * first.
   */
  touchedBy(scope: Scope, customerId: string): Promise<readonly AccountKey[]>

  /** Newest first. */
  grants(
    accountId: string,
    filter: { readonly status: GrantStatus | null; readonly at: Instant },
    page: Page,
  ): Promise<readonly RecordedGrant[]>

  /** Newest first; both ends inclusive. */
  entries(accountId: string, filter: EntryFilter, page: Page): Promise<readonly RecordedEntry[]>

  /**
   * What entries made since then have granted and used, by entitlement; null where that is more
   * entries than `most`, those of all businesses together, which are then not summed up.
   */
  moved(scope: Scope, since: Instant, most: number): Promise<readonly MovedCredits[] | null>
}

/** Exact decimals. */
export interface MovedCredits {
  readonly entitlementId: string
  /** By purchases, cycles, adjustments; what rolls over was granted before. */
  readonly granted: string
  /** By usage and debits, in overage, too, less what falling usage gave back. */
  readonly used: string
}

export interface EntryFilter {
  readonly type: CreditTransactionType | null
  readonly from: Instant | null
  readonly to: Instant | null
}
