import { limits } from '../../../limits.ts'
import { chargedBack, nothingGivenBack } from '../../../rules/commerce/payments/given-back.ts'
import { newRefund } from '../../../rules/commerce/refunds/new-refund.ts'
import { isOver } from '../../../rules/commerce/subscriptions/subscription.ts'
import { refundFact } from '../../../rules/facts/refund-facts.ts'
import { issueCreditNote } from '../../refunds/taken-back/credit-note.ts'
import { takeBackEarnings } from '../../refunds/taken-back/earnings.ts'
import { giveBackToWallet } from '../../refunds/taken-back/wallet.ts'
import type { Bringing, PaymentMoment, SubjectBrings } from './bringing.ts'

/**
 * A plan change that is paid once its subscription is over brings nothing, and no later charge
 * could be lowered by it: it is refunded, in the same change where the processor refunds at once.
 * [subscriptions#paying-for-a-change]
 */
export const bringBackPaidTooLate: Bringing = async (
  needs,
  scope,
  { customer, outcome, payment },
) => {
  const { purpose, subscriptionId } = payment
  if (purpose !== 'plan_change' || outcome.status !== 'succeeded' || subscriptionId === null) {
    return null
  }
  const subscription = await needs.subscriptions.find(scope, subscriptionId)
  if (subscription === null || !isOver(subscription)) return null
  const atOnce = needs.processors[scope.mode].refundsAtOnce
  const takings = await Promise.all(
    [takeBackEarnings, giveBackToWallet, issueCreditNote].map((each) =>
      each(needs, scope, payment),
    ),
  )
  return { entitlementIds: [], decide }

  function decide({ at, newId, payment }: PaymentMoment): SubjectBrings {
    // Its bank has taken it back already.
    if (payment.disputeStatus !== null) return {}
    const given = { ...nothingGivenBack, disputes: [] }
    const reason = 'The subscription had ended before its plan change was paid.'
    const request = { paymentId: payment.paymentId, items: null, reason, metadata: {} }
    const window = limits.refundWindow
    const made = newRefund(newId, request, { payment, given, at, window })
    if ('problem' in made) return {}
    if (!atOnce) return { rows: [{ noun: 'refund', expected: null, row: made }] }
    const refund = { ...made, status: 'succeeded' as const }
    const left = { ...payment, refundStatus: 'full' as const }
    const moment = { payment: left, refund, charged: chargedBack(left, refund, given), at, newId }
    return {
      payment: left,
      rows: [
        { noun: 'refund', expected: null, row: refund },
        ...takings.flatMap((taking) => taking?.decide(moment).rows ?? []),
      ],
      facts: [refundFact('succeeded', refund, customer)],
    }
  }
}
