import type { AccountCommand } from '../../../rules/accounts/change.ts'
import { takeBack } from '../../../rules/accounts/take-back.ts'
import type { RefundNeeds } from '../refund-needs.ts'
import type { RefundMoment, TakingBack } from './taking-back.ts'

/** What is left of the credits that the payment has brought, once all of it went back. */
export const takeBackCredits: TakingBack<RefundNeeds> = async (needs, scope, payment) => {
  const { customerId, paidAt, paymentId, subscriptionId } = payment
  const purchase = { paymentId, subscriptionId, paidAt }
  const load = () => needs.refunds.creditedBy({ ...scope, customerId }, purchase)
  let credited = await load()
  if (credited.size === 0) return null
  return {
    entitlementIds: [...credited.keys()],
    // Behind the accounts, whose versions say whether it still holds: grants may roll meanwhile.
    look: async () => {
      credited = await load()
    },
    decide: (moment) =>
      moment.payment.refundStatus === 'full'
        ? { commands: new Map([...credited].map(([id, ids]) => [id, commandOf(moment, ids)])) }
        : {},
  }
}

const commandOf =
  ({ refund }: RefundMoment, brought: ReadonlySet<string>): AccountCommand =>
  ({ account, at }) =>
    takeBack(
      account,
      {
        brought,
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
