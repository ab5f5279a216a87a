import type { AccountCommand } from '../../../rules/accounts/change.ts'
import { takeBack } from '../../../rules/accounts/take-back.ts'
import type { RefundMoment, TakingBack } from './taking-back.ts'

/** What is left of the credits that the payment has brought, once all of it went back. */
export const takeBackCredits: TakingBack = async (needs, scope, payment) => {
  const { customerId, paidAt, paymentId, subscriptionId } = payment
  const purchase = { paymentId, subscriptionId, paidAt }
  const entitlementIds = await needs.refunds.creditedBy({ ...scope, customerId }, purchase)
  if (entitlementIds.length === 0) return null
  return {
    entitlementIds,
    decide: (moment) =>
      moment.payment.refundStatus === 'full'
        ? { commands: new Map(entitlementIds.map((id) => [id, commandOf(moment, purchase)])) }
        : {},
  }
}

const commandOf =
  (
    { refund }: RefundMoment,
    purchase: Parameters<typeof takeBack>[1]['purchase'],
  ): AccountCommand =>
  ({ account, at }) =>
    takeBack(
      account,
      {
        purchase,
        cause: {
          referenceType: 'payment',
          referenceId: refund.paymentId,
          description: null,
          metadata: {},
          inputs: { rule: 'payment_refunded', refundId: refund.refundId },
        },
      },
      at,
    )
