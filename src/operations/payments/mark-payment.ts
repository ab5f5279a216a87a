import { Fault, orNotFound } from '../../faults.ts'
import type { ChargeOutcome, Payment } from '../../rules/commerce/payments/payment.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { hearOutcome } from './hear-outcome.ts'
import type { PaymentNeeds } from './payment-needs.ts'

/**
 * The operator says what has become of a payment of the manual processor. The same twice changes
 * nothing. @throws Fault 404; 409 where another processor decides, or where something else has
 * become of it already.
 */
export async function markPayment(
  needs: PaymentNeeds & DueFirstNeeds,
  paymentId: string,
  outcome: ChargeOutcome,
): Promise<Payment> {
  const { payment, ...scope } = orNotFound(
    await needs.payments.find(paymentId),
    'payment',
    paymentId,
  )
  if (payment.processor !== 'manual') {
    throw new Fault(
      'CONFLICT',
      `The ${payment.processor} decides what becomes of payment '${paymentId}'; only payments of live mode's manual processor can be marked.`,
    )
  }
  const heard = { paymentId, outcome, later: [], news: null }
  const after = await hearOutcome(needs, scope, heard)
  if (after.status === outcome.status) return after
  throw new Fault(
    'CONFLICT',
    `Payment '${paymentId}' is ${after.status} already, and cannot become ${outcome.status}.`,
  )
}
