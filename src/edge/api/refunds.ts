import { createRefund } from '../../operations/refunds/create-refund.ts'
import { listRefunds, readRefund } from '../../operations/refunds/read-refunds.ts'
import type { RefundNeeds } from '../../operations/refunds/refund-needs.ts'
import { refundStatuses } from '../../rules/commerce/refunds/refund.ts'
import { refundCreate, refundListItem, refundView, wantedRefund } from '../../wire/refund.ts'
import { page } from '../../wire/schemas.ts'
import { parseIdempotencyKey } from '../http/idempotency-key.ts'
import { parse, parseChoice, parsePage, parseTime } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { parseText } from './parameters.ts'

/** [resources#refunds] */
export function refundRoutes(needs: RefundNeeds): readonly Route[] {
  return [
    route('GET', '/refunds', 'read', list),
    route('POST', '/refunds', 'write', create),
    route('GET', '/refunds/:refund_id', 'read', retrieve),
  ]

  async function list(request: Request): Promise<Reply> {
    const wanted = parsePage(request)
    const filter = {
      customerId: parseText(request, 'customer_id'),
      subscriptionId: parseText(request, 'subscription_id'),
      status: parseChoice(request, 'status', refundStatuses),
      createdFrom: parseTime(request, 'created_at_gte'),
      createdTo: parseTime(request, 'created_at_lte'),
    }
    const { caller } = request
    const found = await listRefunds(needs, caller, { filter, page: wanted })
    return ok(page(found.map((refund) => refundListItem(caller.businessId, refund))))
  }

  async function create(request: Request): Promise<Reply> {
    const { body, caller } = request
    const idempotencyKey = parseIdempotencyKey(request)
    const wanted = { ...wantedRefund(parse(refundCreate, body)), idempotencyKey }
    const { refund, customer } = await createRefund(needs, caller, wanted)
    return ok(refundView(caller.businessId, refund, customer))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const { caller } = request
    const id = parseId(request, 'refund_id', 'refund')
    const { refund, customer } = await readRefund(needs, caller, id)
    return ok(refundView(caller.businessId, refund, customer))
  }
}
