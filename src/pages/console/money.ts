import { parse } from '../../edge/http/parse.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { ok, route } from '../../edge/http/route.ts'
import { orNotFound } from '../../faults.ts'
import { moveDispute } from '../../operations/disputes/move-dispute.ts'
import { openDispute } from '../../operations/disputes/open-dispute.ts'
import { readDispute } from '../../operations/disputes/read-disputes.ts'
import { markPayment } from '../../operations/payments/mark-payment.ts'
import { markRefund } from '../../operations/refunds/mark-refund.ts'
import { readRefund } from '../../operations/refunds/read-refunds.ts'
import type { RefundNeeds } from '../../operations/refunds/refund-needs.ts'
import {
  disputeMove,
  disputeMoveOf,
  disputeOpen,
  markedOutcome,
  openedDisputeOf,
  paymentMark,
  refundMark,
} from '../../wire/console-money.ts'
import { disputeView } from '../../wire/dispute.ts'
import { refundView } from '../../wire/refund.ts'

/**
 * What owners say of money that moves elsewhere, for which the API has no word: by the operations
 * of the operator's commands. Those take any id of the installation, so that each route first finds
 * the thing among those of the caller's business and mode. [security#the-console]
 */
export function consoleMoneyRoutes(needs: RefundNeeds): readonly Route[] {
  return [
    route('POST', '/payments/:id/mark', 'write', markPaid),
    route('POST', '/payments/:id/disputes', 'write', dispute),
    route('POST', '/refunds/:id/mark', 'write', markRefunded),
    route('POST', '/disputes/:id/move', 'write', move),
  ]

  async function markPaid(request: Request): Promise<Reply> {
    const outcome = markedOutcome(parse(paymentMark, request.body))
    const { status } = await markPayment(needs, await ownPayment(request), outcome)
    return ok({ payment_id: request.param('id'), status })
  }

  async function dispute(request: Request): Promise<Reply> {
    const wanted = openedDisputeOf(parse(disputeOpen, request.body))
    const paymentId = await ownPayment(request)
    const { disputeId } = await openDispute(needs, { ...wanted, paymentId })
    return shownDispute(request, disputeId)
  }

  async function markRefunded(request: Request): Promise<Reply> {
    const { status } = parse(refundMark, request.body)
    const { caller } = request
    const { refund, customer } = await readRefund(needs, caller, request.param('id'))
    const after = await markRefund(needs, refund.refundId, status)
    return ok(refundView(caller.businessId, after, customer))
  }

  async function move(request: Request): Promise<Reply> {
    const wanted = disputeMoveOf(parse(disputeMove, request.body))
    const { dispute } = await readDispute(needs, request.caller, request.param('id'))
    await moveDispute(needs, { ...wanted, disputeId: dispute.disputeId })
    return shownDispute(request, dispute.disputeId)
  }

  async function ownPayment({ caller, param }: Request): Promise<string> {
    const paymentId = param('id').slice(0, idMax)
    orNotFound(await needs.payments.get(caller, paymentId), 'payment', paymentId)
    return paymentId
  }

  async function shownDispute({ caller }: Request, disputeId: string): Promise<Reply> {
    const { dispute, customer } = await readDispute(needs, caller, disputeId)
    return ok(disputeView(caller.businessId, dispute, customer))
  }
}

/** No id of ours is longer. */
const idMax = 255
