import { limits } from '../../limits.ts'
import type { ReadPayoutsNeeds } from '../../operations/payouts/read-payouts.ts'
import {
  readAllPaidEntries,
  readBreakup,
  readPaidEntries,
} from '../../operations/payouts/read-payouts.ts'
import type { ChainedEntry } from '../../rules/commerce/balances/balance-entry.ts'
import type { SignedTokens } from '../../runtime/signed-token.ts'
import {
  breakupView,
  paidEntriesCsvHead,
  paidEntryCsv,
  paidEntryView,
  payoutView,
} from '../../wire/payout.ts'
import { page } from '../../wire/schemas.ts'
import { parsePage, parseTime } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { baseUrlOf } from './base-url.ts'

export interface PayoutRouteNeeds extends ReadPayoutsNeeds {
  /** The beginning of links, without a slash at its end; null: the request's host. */
  readonly publicUrl: string | null
  readonly tokens: Pick<SignedTokens, 'sign'>
}

/** [resources#payouts] */
export function payoutRoutes(needs: PayoutRouteNeeds): readonly Route[] {
  return [
    route('GET', '/payouts', 'read', list),
    route('GET', '/payouts/:payout_id/breakup', 'read', breakup),
    route('GET', '/payouts/:payout_id/breakup/details', 'read', details),
    {
      ...route('GET', '/payouts/:payout_id/breakup/details/csv', 'read', csv),
      handlerMs: limits.scanMs,
    },
  ]

  async function list(request: Request): Promise<Reply> {
    const { caller } = request
    const wanted = parsePage(request)
    const filter = {
      createdFrom: parseTime(request, 'created_at_gte'),
      createdTo: parseTime(request, 'created_at_lte'),
    }
    const { mode } = caller
    const links = { mode, base: baseUrlOf(request, needs.publicUrl), sign: needs.tokens.sign }
    const found = await needs.payouts.list(caller, filter, wanted)
    return ok(page(found.map((payout) => payoutView(caller.businessId, payout, links))))
  }

  async function breakup(request: Request): Promise<Reply> {
    return ok((await readBreakup(needs, request.caller, idOf(request))).map(breakupView))
  }

  async function details(request: Request): Promise<Reply> {
    const payoutId = idOf(request)
    const wanted = parsePage(request)
    const found = await readPaidEntries(needs, request.caller, { page: wanted, payoutId })
    return ok(page(found.map(paidEntryView)))
  }

  /** Read twice, a piece at a time: for its length, and to send it. */
  async function csv(request: Request): Promise<Reply> {
    const id = idOf(request)
    const read = await readAllPaidEntries(needs, request.caller, id)
    const open = () => csvOf(read())
    let bytes = 0
    for await (const piece of open()) bytes += piece.length
    return {
      status: 200,
      content: { bytes, open: async () => open() },
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${id}.csv"`,
        'X-Content-Type-Options': 'nosniff',
      },
    }
  }
}

const idOf = (request: Request): string => parseId(request, 'payout_id', 'payout')

async function* csvOf(entries: AsyncIterable<readonly ChainedEntry[]>): AsyncIterable<Uint8Array> {
  yield Buffer.from(paidEntriesCsvHead)
  for await (const some of entries) yield Buffer.from(some.map(paidEntryCsv).join(''))
}
