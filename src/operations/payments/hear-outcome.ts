import type { Scope } from '../../parts/store/scope.ts'
import { commandTimeOf } from '../../rules/accounts/command-time.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { dueFirst } from '../boundaries/due-first.ts'
import type { HeardOfPayment } from './try-to-hear.ts'
import { tryToHear } from './try-to-hear.ts'

/**
 * Writes what has become of a payment, and all that it brings: the session that it completes, the
 * subscription, credits and facts are one change. It happens once, however often and in whatever
 * order it is told. Answers the payment as it is afterwards. [payments#one-way-to-be-paid]
 */
export const hearOutcome = (
  needs: DueFirstNeeds,
  scope: Scope,
  heard: HeardOfPayment,
): Promise<Payment> =>
  dueFirst(needs, 'pay', () => tryToHear(needs, scope, { ...heard, at: commandTimeOf }))
