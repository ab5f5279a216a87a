import { Fault, orNotFound, refuse, unlessRefused } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { commandTimeOf } from '../../rules/accounts/command-time.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { RefundRequest } from '../../rules/commerce/refunds/new-refund.ts'
import { newRefund } from '../../rules/commerce/refunds/new-refund.ts'
import type { Refund } from '../../rules/commerce/refunds/refund.ts'
import { digestOfAsked, idFrom } from '../../runtime/ids.ts'
import { laterOf } from '../../std/instant.ts'
import { tryChange } from '../accounts/change-accounts.ts'
import { dueFirst } from '../boundaries/due-first.ts'
import { givenOfPayment } from './given-of-payment.ts'
import type { ReadRefund } from './read-refunds.ts'
import { readRefund } from './read-refunds.ts'
import type { RefundNeeds } from './refund-needs.ts'
import type { LoadedPayment } from './settled-refund.ts'
import { refundRows, settledRefund, touchedPayment } from './settled-refund.ts'
import { takeBackAll } from './taken-back/all.ts'

export interface WantedRefund extends RefundRequest {
  /** A refund with a key that one of this payment had is that one; null: it is another. */
  readonly idempotencyKey: string | null
}

/**
 * Refunds a payment, or some of its lines. Where the processor refunds at once, everything that the
 * refund takes back is in the same change; otherwise the refund is pending. Of several at once each
 * sees what those before it have left; one that comes with a key that a refund of this payment had
 * is that one. Refuses: 404 an unknown payment; 409 a key that another refund of it has had; and
 * what [refunds#refusals] says. [refunds#keys]
 */
export async function createRefund(
  needs: RefundNeeds,
  scope: Scope,
  request: WantedRefund,
): Promise<ReadRefund> {
  refuse(metadataRejection(request.metadata))
  const keyed = keyedRefund(scope, request)
  const wanted = { refundId: keyed?.refundId ?? needs.newId('ref'), asked: keyed?.asked ?? null }
  return dueFirst<ReadRefund>(needs, 'refund', async () => {
    const before = keyed === null ? null : await needs.refunds.get(scope, keyed.refundId)
    if (before === null) return tryToRefund(needs, scope, { ...wanted, request })
    return sameRefund(needs, scope, { before, asked: wanted.asked })
  })
}

/** The refund of a key, and what it is asked for; null: without a key each is another. */
function keyedRefund(
  { businessId, mode }: Scope,
  { idempotencyKey, items, metadata, paymentId, reason }: WantedRefund,
): Pick<Refund, 'refundId' | 'asked'> | null {
  if (idempotencyKey === null) return null
  const inOrder = Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    refundId: idFrom('ref', [businessId, mode, paymentId, idempotencyKey]),
    asked: digestOfAsked([items, reason, inOrder]),
  }
}

/** The refund that a key had before, as it is now. Refuses a key that came with another one. */
async function sameRefund(
  needs: RefundNeeds,
  scope: Scope,
  { asked, before }: { readonly asked: string | null; readonly before: Refund },
): Promise<ReadRefund> {
  if (before.asked === asked) return readRefund(needs, scope, before.refundId)
  throw new Fault('CONFLICT', 'Another refund of this payment had this Idempotency-Key.')
}

async function tryToRefund(
  needs: RefundNeeds,
  scope: Scope,
  {
    asked,
    refundId,
    request,
  }: Pick<Refund, 'asked' | 'refundId'> & { readonly request: RefundRequest },
) {
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
      const state = { payment, given, at, window }
      const made = unlessRefused(newRefund(() => refundId, request, state))
      const refund = { ...made, asked, ...(atOnce && { status: 'succeeded' as const }) }
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
