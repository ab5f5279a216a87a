import { feeOf } from '../../../rules/commerce/charges/fee-table.ts'
import { bookedRows } from '../../balances/booked-rows.ts'
import type { PaymentNeeds } from '../../payments/payment-needs.ts'
import type { TakingBack } from './taking-back.ts'

/** What the business gives back of its money, and what the refund costs. [payouts#entries] */
export const takeBackEarnings: TakingBack<PaymentNeeds> = async (needs, scope) => {
  const fees = await needs.charges.fees(scope.businessId)
  return {
    entitlementIds: [],
    decide: ({ at, charged: amount, newId, refund }) => {
      // What goes back into a wallet is no money of the business.
      if (amount === 0) return {}
      const { currency, refundId: referenceId } = refund
      const fee = feeOf(fees, 'refund', { amount, currency })
      const amounts = [['refund', amount] as const, ['refund_fees', fee] as const]
      return { rows: bookedRows(newId, { currency, referenceId, at, amounts }) }
    },
  }
}
