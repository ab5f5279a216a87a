import { orNotFound, unlessRefused } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Dispute, DisputeStage } from '../../rules/commerce/disputes/dispute.ts'
import { newDispute, openedBefore } from '../../rules/commerce/disputes/new-dispute.ts'
import { laterOf } from '../../std/instant.ts'
import { tryChange } from '../accounts/change-accounts.ts'
import { dueFirst } from '../boundaries/due-first.ts'
import { givenOfPayment } from '../refunds/given-of-payment.ts'
import type { RefundNeeds } from '../refunds/refund-needs.ts'
import { openedDispute } from './opened-dispute.ts'

export interface OpenDispute {
  readonly paymentId: string
  /** In the currency's smallest unit; null: all that is left of what was charged. */
  readonly amount: number | null
  readonly reason: string | null
  readonly stage: DisputeStage
}

/**
 * The payer's bank disputes a payment. The same once more, while nobody has answered it, is one
 * dispute. @throws Fault 404; 409 where the payment did not succeed, took nothing, or has nothing
 * left; 422 where the amount is above what is left. [refunds#disputes]
 */
export async function openDispute(needs: RefundNeeds, wanted: OpenDispute): Promise<Dispute> {
  const { paymentId } = wanted
  const { businessId, mode } = orNotFound(
    await needs.payments.find(paymentId),
    'payment',
    paymentId,
  )
  return dueFirst(needs, 'dispute', () => tryToOpen(needs, { businessId, mode }, wanted))
}

async function tryToOpen(needs: RefundNeeds, scope: Scope, wanted: OpenDispute) {
  const { paymentId } = wanted
  const payment = orNotFound(await needs.payments.get(scope, paymentId), 'payment', paymentId)
  const { customerId } = payment
  const customer = orNotFound(await needs.customers.get(scope, customerId), 'customer', customerId)
  const given = await givenOfPayment(needs, scope, payment)
  const fees = await needs.charges.fees(scope.businessId)
  const { newId, rapidUpTo } = needs
  return tryChange<Dispute>(needs, {
    operation: 'dispute',
    customer: { ...scope, customerId },
    entitlementIds: [],
    at: (_, now) => now,
    decide: (_, { at: now }) => {
      const opening = { ...wanted, payment, given, at: laterOf(now, payment.updatedAt) }
      const before = openedBefore(opening)
      if (before !== null) return { commands: [], answer: () => before }
      const made = unlessRefused(newDispute(newId, opening))
      const { dispute, facts, rows } = openedDispute(made, { customer, fees, rapidUpTo, newId })
      const row = {
        ...payment,
        disputeStatus: dispute.status,
        version: payment.version + 1,
        updatedAt: dispute.createdAt,
      }
      return {
        commands: [],
        rows: [{ noun: 'payment', expected: payment.version, row }, ...rows],
        facts: facts.map((fact) => ({ ...fact, messageId: newId('msg'), at: dispute.createdAt })),
        answer: () => dispute,
      }
    },
  })
}
