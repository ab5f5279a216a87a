import type { Wallet, WalletCurrency, WalletEntry } from '../../rules/commerce/wallets/wallet.ts'
import type { CustomerKey, Page } from './scope.ts'

export interface Wallets {
  /** All wallets of a customer, by currency. */
  list(customer: CustomerKey): Promise<readonly Wallet[]>

  /** The entries of all wallets, or of one, newest first. */
  entries(
    customer: CustomerKey,
    currency: WalletCurrency | null,
    page: Page,
  ): Promise<readonly WalletEntry[]>

  /** The entry that was made with this idempotency key. */
  keyed(customer: CustomerKey, idempotencyKey: string): Promise<WalletEntry | null>
}
