import { feeOf } from '../../../rules/commerce/charges/fee-table.ts'
import { chargedAmount } from '../../../rules/commerce/payments/wallet-part.ts'
import { bookedRows } from '../../balances/booked-rows.ts'
import type { Bringing } from './bringing.ts'

/** What the business earns with a payment, and what the operator takes of it. [payouts#entries] */
export const bringEarnings: Bringing = async ({ charges }, { businessId }, heard) => {
  if (heard.outcome.status !== 'succeeded') return null
  const fees = await charges.fees(businessId)
  return {
    entitlementIds: [],
    decide: ({ at, newId, payment }) => {
      const { currency, paymentId: referenceId } = payment
      // What a wallet has paid was no money of the customer's now.
      const amount = chargedAmount(payment)
      if (amount === 0) return {}
      const fee = feeOf(fees, 'payment', { amount, currency })
      const amounts = [['payment', amount] as const, ['payment_fees', fee] as const]
      return { rows: bookedRows(newId, { currency, referenceId, at, amounts }) }
    },
  }
}
