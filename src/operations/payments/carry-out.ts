import type { Scope } from '../../parts/store/scope.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { hearOutcome } from './hear-outcome.ts'
import { heardOf } from './heard-of.ts'

/**
 * Carries out an attempt that was written: asks its processor, and writes what has become of it
 * with all that it brings. Answers the payment as it is then, which may be `processing`.
 *
 * Its caller has claimed what it pays: one change has written the attempt (attemptRows() of
 * newAttempt()) with the row that says that it is under way, such as a session's or a
 * subscription's new version, so that of two at once one is charged. A saved method is charged by
 * the attempt's `token`, `card` and `paymentMethodId`, see chargeableMethod(). If the process ends
 * before this is done, the attempt's own news asks again five minutes later: nothing is charged
 * twice, and nothing is forgotten. [payments#one-way-to-be-paid, payments#news]
 */
export async function carryOut(
  needs: DueFirstNeeds,
  scope: Scope,
  attempt: Payment,
): Promise<Payment> {
  return hearOutcome(needs, scope, await heardOf(needs, scope, attempt))
}
