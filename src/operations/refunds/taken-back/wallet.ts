import { walletRefunded } from '../../../rules/commerce/payments/wallet-part.ts'
import type { PaymentNeeds } from '../../payments/payment-needs.ts'
import { walletChange } from '../../wallets/wallet-rows.ts'
import type { TakingBack } from './taking-back.ts'

/** What the wallet has paid goes back into it, after all that was charged. [refunds#wallets] */
export const giveBackToWallet: TakingBack<PaymentNeeds> = async ({ wallets }, scope, payment) => {
  const { customerId, fromWallet } = payment
  if (fromWallet === 0) return null
  const held = await wallets.list({ ...scope, customerId })
  return {
    entitlementIds: [],
    decide: ({ at, charged, newId, refund }) => {
      const { refundId } = refund
      const moved = { entryId: newId('wle'), at }
      const amount = refund.amount - charged
      return { rows: walletChange(walletRefunded(payment, held, { refundId, amount, moved })) }
    },
  }
}
