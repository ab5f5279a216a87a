import type { AccountKey, AccountView } from '../../rules/accounts/view.ts'

/** Some of the accounts: those whose customer falls into one of `slots`, of `of` that there are. */
export interface Share {
  readonly slots: readonly number[]
  readonly of: number
}

export interface Accounts {
  /**
   * In the order of `keys`, each of one snapshot over all of them. `open`, which is what deciding
   * needs: without sealed usage, its charges, and subscriptions that are over.
   */
  load(keys: readonly AccountKey[], extent?: 'open' | 'whole'): Promise<readonly AccountView[]>

  /**
   * Accounts with unsettled usage that were not settled within the last `quietMs`, oldest first;
   * only those of `share`, unless it is null.
   */
  due(limit: number, quietMs: number, share: Share | null): Promise<readonly AccountKey[]>

  /**
   * Accounts of one entitlement with unsettled usage: the next `limit` in the order of customers.
   */
  unsettledOf(
    entitlement: Omit<AccountKey, 'customerId'>,
    behind: string,
    limit: number,
  ): Promise<readonly AccountKey[]>

  /** How many accounts have unsettled usage. */
  backlog(): Promise<number>

  /**
   * Sets an account aside whose decision failed, so that it blocks nobody; null takes it back. One
   * that was never written is written, empty, for the reason to stand somewhere.
   */
  setAside(key: AccountKey, accountId: string, reason: string | null): Promise<void>

  /** Whether this idempotency key was used on the account. */
  adjusted(accountId: string, idempotencyKey: string): Promise<boolean>
}
