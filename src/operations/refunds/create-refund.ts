import { orNotFound, refuse, unlessRefused } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { commandTimeOf } from '../../rules/accounts/command-time.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { RefundRequest } from '../../rules/commerce/refunds/new-refund.ts'
import { newRefund } from '../../rules/commerce/refunds/new-refund.ts'
import { laterOf } from '../../std/instant.ts'
import { tryChange } from '../accounts/change-accounts.ts'
import { dueFirst } from '../boundaries/due-first.ts'
import { givenOfPayment } from './given-of-payment.ts'
import type { ReadRefund } from './read-refunds.ts'
import type { RefundNeeds } from './refund-needs.ts'
import type { LoadedPayment } from './settled-refund.ts'
import { refundRows, settledRefund, touchedPayment } from './settled-refund.ts'
import { takeBackAll } from './taken-back/all.ts'

/**
 * Refunds a payment, or some of its lines. Where the processor refunds at once, everything that the
 * refund takes back is in the same change; otherwise the refund is pending. Of several at once each
 * sees what those before it have left. Refuses: 404 an unknown payment, and what
 * [refunds#refusals] says.
 */
export async function createRefund(
  needs: RefundNeeds,
  scope: Scope,
  request: RefundRequest,
): Promise<ReadRefund> {
  refuse(metadataRejection(request.metadata))
  return dueFirst(needs, 'refund', () => tryToRefund(needs, scope, request))
}

async function tryToRefund(needs: RefundNeeds, scope: Scope, request: RefundRequest) {
  const loaded = await loadedPayment(needs, scope, request.paymentId)
  const { customer, given, payment, taking } = loaded
  const { newId, refundWindow: window = limits.refundWindow } = needs
  const atOnce = needs.processors[scope.mode].refundsAtOnce
  return tryChange<ReadRefund>(needs, {
    operation: 'refund',
    customer: { ...scope, customerId: payment.customerId },
    entitlementIds: taking.entitlementIds,
    at: commandTimeOf,
    look: taking.look,
    decide: (_, { at: decidedAt }) => {
      const at = laterOf(decidedAt, payment.updatedAt)
      const made = unlessRefused(newRefund(newId, request, { payment, given, at, window }))
      const refund = atOnce ? { ...made, status: 'succeeded' as const } : made
      const answer = () => ({ refund, customer })
      if (atOnce) {
        const settling = { outcome: 'succeeded', refund, expected: null, at, newId } as const
        return { ...settledRefund(loaded, settling), answer }
      }
      return {
        commands: taking.entitlementIds.map(() => null),
        rows: refundRows(payment, touchedPayment(payment, at), { expected: null, refund }),
        answer,
      }
    },
  })
}

/** The payment first: its version tells whether what is read after it still belongs to it. */
export async function loadedPayment(
  needs: RefundNeeds,
  scope: Scope,
  paymentId: string,
): Promise<LoadedPayment> {
  const payment = orNotFound(await needs.payments.get(scope, paymentId), 'payment', paymentId)
  const { customerId } = payment
  const customer = orNotFound(await needs.customers.get(scope, customerId), 'customer', customerId)
  const given = await givenOfPayment(needs, scope, payment)
  return { payment, customer, given, taking: await takeBackAll(needs, scope, payment) }
}
