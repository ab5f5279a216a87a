import { walletRefunded } from '../../../rules/commerce/payments/wallet-part.ts'
import { walletChange } from '../../wallets/wallet-rows.ts'
import type { TakingBack } from './taking-back.ts'

/** What the wallet has paid goes back into it, after all that was charged. [refunds#wallets] */
export const giveBackToWallet: TakingBack = async ({ refunds, wallets }, scope, payment) => {
  const { customerId, fromWallet, paymentId } = payment
  if (fromWallet === 0) return null
  const [held, others] = await Promise.all([
    wallets.list({ ...scope, customerId }),
    refunds.ofPayment(scope, paymentId),
  ])
  return {
    entitlementIds: [],
    decide: ({ at, newId, refund }) => {
      const moved = { entryId: newId('wle'), at }
      return { rows: walletChange(walletRefunded(payment, held, { refund, others, moved })) }
    },
  }
}
