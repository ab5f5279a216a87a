import type { RowChange } from '../../parts/store/changes.ts'
import type { PaidByWallet } from '../../rules/commerce/payments/wallet-part.ts'

/** A wallet with its new entry, as a change has them; null: the wallet stays. */
export const walletChange = (paid: PaidByWallet | null): readonly RowChange[] =>
  paid === null
    ? []
    : [{ noun: 'wallet', expected: paid.before, row: paid.wallet, entry: paid.entry }]
