import { orNotFound } from '../../faults.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Dispute, DisputeStatus } from '../../rules/commerce/disputes/dispute.ts'
import { byLatest, givesBack, movedDispute } from '../../rules/commerce/disputes/dispute.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { disputeFact } from '../../rules/facts/dispute-facts.ts'
import type { Instant } from '../../std/instant.ts'
import { laterOf } from '../../std/instant.ts'
import { tryChange } from '../accounts/change-accounts.ts'
import { bookedRows } from '../balances/booked-rows.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'

export interface DisputeMove {
  readonly disputeId: string
  readonly status: DisputeStatus
  readonly remarks: string | null
}

interface Moving extends DisputeMove {
  /** Null: its window has passed, which is to be applied first. */
  readonly at: (dispute: Dispute, now: Instant) => Instant | null
  /** Where it cannot get there. */
  readonly otherwise: (dispute: Dispute) => Dispute
}

/** One try to write a dispute in another state, with all that this moves. */
export async function tryToMove(
  needs: PaymentNeeds,
  scope: Scope,
  { at: timeOf, disputeId, otherwise, remarks, status }: Moving,
) {
  const dispute = orNotFound(await needs.disputes.get(scope, disputeId), 'dispute', disputeId)
  const { customerId, paymentId } = dispute
  const payment = orNotFound(await needs.payments.get(scope, paymentId), 'payment', paymentId)
  const all = await needs.disputes.ofPayment(scope, paymentId)
  const customer = orNotFound(await needs.customers.get(scope, customerId), 'customer', customerId)
  const { newId } = needs
  return tryChange<Dispute>(needs, {
    operation: 'dispute',
    customer: { ...scope, customerId },
    entitlementIds: [],
    at: (_, now) => timeOf(dispute, now),
    decide: (_, { at }) => {
      const row = movedDispute(dispute, { status, remarks, at })
      if (row === null) {
        const stays = otherwise(dispute)
        return { commands: [], answer: () => stays }
      }
      const { amount, currency, updatedAt } = row
      const latest = all.toSorted(byLatest)[0]?.disputeId === disputeId
      return {
        commands: [],
        rows: [
          { noun: 'dispute', expected: dispute.version, row },
          ...(latest ? [statusOf(payment, row)] : []),
          ...(givesBack(status)
            ? bookedRows(newId, {
                currency,
                referenceId: disputeId,
                at: updatedAt,
                amounts: [['dispute_reversal', amount]],
              })
            : []),
        ],
        facts: [{ ...disputeFact(row, customer), messageId: newId('msg'), at: updatedAt }],
        answer: () => row,
      }
    },
  })
}

/** A payment tells the status of the dispute that was opened last. */
const statusOf = (payment: Payment, { status, updatedAt }: Dispute): RowChange => ({
  noun: 'payment',
  expected: payment.version,
  row: {
    ...payment,
    disputeStatus: status,
    version: payment.version + 1,
    updatedAt: laterOf(updatedAt, payment.updatedAt),
  },
})
