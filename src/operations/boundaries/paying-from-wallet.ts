import type { RowChange } from '../../parts/store/changes.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { withWallet } from '../../rules/commerce/payments/wallet-part.ts'
import type { Wallet } from '../../rules/commerce/wallets/wallet.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { attemptRows } from '../payments/ask-processor.ts'
import { walletChange } from '../wallets/wallet-rows.ts'

/**
 * An attempt of which the customer's wallet pays its part first, with the rows of both: the money
 * is taken as the attempt is written, before anything is charged. [resources#wallets]
 */
export function payingFromWallet(
  { newId }: { readonly newId: NewId },
  whole: Payment,
  of: { readonly wallets: readonly Wallet[]; readonly at: Instant },
): { readonly attempt: Payment; readonly rows: readonly RowChange[] } {
  const made = { entryId: newId('wle'), at: of.at }
  const { paid, payment: attempt } = withWallet(whole, of.wallets, made)
  return { attempt, rows: [...attemptRows(newId, attempt), ...walletChange(paid)] }
}
