import type { ReadDisputesNeeds } from '../../operations/disputes/read-disputes.ts'
import { readDispute } from '../../operations/disputes/read-disputes.ts'
import { disputeStages, disputeStatuses } from '../../rules/commerce/disputes/dispute.ts'
import { disputeListItem, disputeView } from '../../wire/dispute.ts'
import { page } from '../../wire/schemas.ts'
import { parseChoice, parsePage, parseTime } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { parseText } from './parameters.ts'

/** [resources#disputes] */
export function disputeRoutes(needs: ReadDisputesNeeds): readonly Route[] {
  return [
    route('GET', '/disputes', 'read', list),
    route('GET', '/disputes/:dispute_id', 'read', retrieve),
  ]

  async function list(request: Request): Promise<Reply> {
    const { caller } = request
    const filter = {
      customerId: parseText(request, 'customer_id'),
      status: parseChoice(request, 'dispute_status', disputeStatuses),
      stage: parseChoice(request, 'dispute_stage', disputeStages),
      createdFrom: parseTime(request, 'created_at_gte'),
      createdTo: parseTime(request, 'created_at_lte'),
    }
    const found = await needs.disputes.list(caller, filter, parsePage(request))
    return ok(page(found.map((dispute) => disputeListItem(caller.businessId, dispute))))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const { caller } = request
    const id = parseId(request, 'dispute_id', 'dispute')
    const { dispute, customer } = await readDispute(needs, caller, id)
    return ok(disputeView(caller.businessId, dispute, customer))
  }
}
