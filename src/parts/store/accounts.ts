import type { AccountKey, AccountView } from '../../rules/accounts/view.ts'
import type { Scope } from './scope.ts'

/** Some of the accounts: customers are divided into `of` slots, and those of `slots` are meant. */
export interface Share {
  readonly slots: readonly number[]
  readonly of: number
}

export interface Accounts {
  /**
   * Loads the accounts in the order of `keys`, all from one snapshot. `open` is what deciding
   * needs: without sealed usage, its charges, and subscriptions that are over.
   */
  load(keys: readonly AccountKey[], extent?: 'open' | 'whole'): Promise<readonly AccountView[]>

  /**
   * Accounts with unsettled usage that were not settled within the last `quietMs`, oldest first;
   * only those of `share`, unless it is null.
   */
  due(limit: number, quietMs: number, share: Share | null): Promise<readonly AccountKey[]>

  /**
   * The same of some businesses (and modes), others at each call, each of which gets as many as
   * the others: so that none waits for all that `except` has to settle.
   */
  dueOfEach(
    limit: number,
    quietMs: number,
    whose: { readonly share: Share | null; readonly except: Scope },
  ): Promise<readonly AccountKey[]>

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
   * Sets an account aside because deciding about it failed, so that it blocks nobody; null takes it
   * back. An account that was never written is written, empty, so that the reason has a place.
   */
  setAside(key: AccountKey, accountId: string, reason: string | null): Promise<void>

  /** Whether this idempotency key was used on the account. */
  adjusted(accountId: string, idempotencyKey: string): Promise<boolean>
}
