import { feeOf } from '../../../rules/commerce/charges/fee-table.ts'
import { chargedBack } from '../../../rules/commerce/payments/wallet-part.ts'
import { bookedRows } from '../../balances/booked-rows.ts'
import type { TakingBack } from './taking-back.ts'

/** What the business gives back of its money, and what the refund costs. [payouts#entries] */
export const takeBackEarnings: TakingBack = async (needs, scope, { paymentId }) => {
  const [fees, others] = await Promise.all([
    needs.charges.fees(scope.businessId),
    needs.refunds.ofPayment(scope, paymentId),
  ])
  return {
    entitlementIds: [],
    decide: ({ at, newId, payment, refund }) => {
      const { currency, refundId: referenceId } = refund
      // What goes back into a wallet is no money of the business.
      const amount = chargedBack(payment, refund, others)
      if (amount === 0) return {}
      const fee = feeOf(fees, 'refund', { amount, currency })
      const amounts = [['refund', amount] as const, ['refund_fees', fee] as const]
      return { rows: bookedRows(newId, { currency, referenceId, at, amounts }) }
    },
  }
}
