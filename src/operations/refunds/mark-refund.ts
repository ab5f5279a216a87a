import { Fault, orNotFound } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { commandTimeOf } from '../../rules/accounts/command-time.ts'
import type { Refund, RefundOutcome } from '../../rules/commerce/refunds/refund.ts'
import { refundAfter } from '../../rules/commerce/refunds/refund.ts'
import { laterOf } from '../../std/instant.ts'
import { tryChange } from '../accounts/change-accounts.ts'
import { dueFirst } from '../boundaries/due-first.ts'
import { loadedPayment } from './create-refund.ts'
import type { RefundNeeds } from './refund-needs.ts'
import { settledRefund } from './settled-refund.ts'

/**
 * The operator says what has become of a refund that is on its way. The same twice changes nothing.
 * @throws Fault 404; 409 where something else has become of it already.
 */
export async function markRefund(
  needs: RefundNeeds,
  refundId: string,
  outcome: RefundOutcome,
): Promise<Refund> {
  const { businessId, mode } = orNotFound(await needs.refunds.find(refundId), 'refund', refundId)
  const after = await dueFirst<Refund>(needs, 'refund', () =>
    tryToMark(needs, { businessId, mode }, { refundId, outcome }),
  )
  if (after.status === outcome) return after
  throw new Fault(
    'CONFLICT',
    `Refund '${refundId}' is ${after.status} already, and cannot become ${outcome}.`,
  )
}

async function tryToMark(
  needs: RefundNeeds,
  scope: Scope,
  { refundId, outcome }: { readonly refundId: string; readonly outcome: RefundOutcome },
) {
  const refund = orNotFound(await needs.refunds.get(scope, refundId), 'refund', refundId)
  const loaded = await loadedPayment(needs, scope, refund.paymentId)
  const { taking } = loaded
  return tryChange<Refund>(needs, {
    operation: 'refund',
    customer: { ...scope, customerId: refund.customerId },
    entitlementIds: taking.entitlementIds,
    at: commandTimeOf,
    look: taking.look,
    decide: (_, { at: decidedAt }) => {
      const at = laterOf(laterOf(decidedAt, refund.updatedAt), loaded.payment.updatedAt)
      const next = refundAfter(refund, outcome, at)
      if (next === null) {
        return { commands: taking.entitlementIds.map(() => null), answer: () => refund }
      }
      const { newId } = needs
      const settling = { outcome, refund: next, expected: refund.version, at, newId }
      return { ...settledRefund(loaded, settling), answer: () => next }
    },
  })
}
