import type { Balances } from '../../parts/store/balances.ts'
import { balanceEventTypes } from '../../rules/commerce/balances/balance-entry.ts'
import { currencies } from '../../rules/commerce/currency.ts'
import { balanceEntryView } from '../../wire/balance-entry.ts'
import { page } from '../../wire/schemas.ts'
import { parseChoice, parseLimit, parsePage, parseTime } from '../http/parse.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { parseText } from './parameters.ts'

/** [resources#business-balances] */
export function balanceLedgerRoutes({
  balances,
}: {
  readonly balances: Balances
}): readonly Route[] {
  return [route('GET', '/balances/ledger', 'read', list)]

  async function list(request: Request): Promise<Reply> {
    const { caller } = request
    const filter = {
      currency: parseChoice(request, 'currency', currencies),
      eventType: parseChoice(request, 'event_type', balanceEventTypes),
      referenceId: parseText(request, 'reference_object_id'),
      createdFrom: parseTime(request, 'created_at_gte'),
      createdTo: parseTime(request, 'created_at_lte'),
    }
    const entries = await balances.entries(caller, filter, wanted(request))
    return ok(page(entries.map((entry) => balanceEntryView(caller.businessId, entry))))
  }
}

/** `limit` is another name of `page_size`, and goes before it. */
function wanted(request: Request) {
  const { limit, offset } = parsePage(request)
  const own = parseLimit(request)
  return own === null ? { limit, offset } : { limit: own, offset: (offset / limit) * own }
}
