import { orNotFound, unlessRefused } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Dispute, DisputeStage } from '../../rules/commerce/disputes/dispute.ts'
import { newDispute } from '../../rules/commerce/disputes/new-dispute.ts'
import { laterOf } from '../../std/instant.ts'
import { tryChange } from '../accounts/change-accounts.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { dueFirst } from '../boundaries/due-first.ts'
import { openedDispute } from './opened-dispute.ts'

export interface OpenDispute {
  readonly paymentId: string
  /** In the currency's smallest unit; null: all of the payment. */
  readonly amount: number | null
  readonly reason: string | null
  readonly stage: DisputeStage
}

/**
 * The payer's bank disputes a payment. @throws Fault 404; 409 where the payment did not succeed, or
 * took nothing; 422 where the amount is none of it. [refunds#disputes]
 */
export async function openDispute(needs: DueFirstNeeds, wanted: OpenDispute): Promise<Dispute> {
  const { paymentId } = wanted
  const { businessId, mode } = orNotFound(
    await needs.payments.find(paymentId),
    'payment',
    paymentId,
  )
  return dueFirst(needs, 'dispute', () => tryToOpen(needs, { businessId, mode }, wanted))
}

async function tryToOpen(needs: DueFirstNeeds, scope: Scope, wanted: OpenDispute) {
  const { paymentId } = wanted
  const payment = orNotFound(await needs.payments.get(scope, paymentId), 'payment', paymentId)
  const { customerId } = payment
  const customer = orNotFound(await needs.customers.get(scope, customerId), 'customer', customerId)
  const others = await needs.disputes.ofPayment(scope, paymentId)
  const fees = await needs.charges.fees(scope.businessId)
  const { newId, rapidUpTo } = needs
  return tryChange<Dispute>(needs, {
    operation: 'dispute',
    customer: { ...scope, customerId },
    entitlementIds: [],
    at: (_, now) => now,
    decide: (_, { at: now }) => {
      const at = laterOf(now, payment.updatedAt)
      const made = unlessRefused(newDispute(newId, { ...wanted, payment, others, at }))
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
