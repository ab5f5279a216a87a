import type { Request, Route } from '../../edge/http/route.ts'
import { limits } from '../../limits.ts'
import { walkedLists } from './walked-lists.ts'

/** One thing of a list, as the API shows it. */
export type ListItem = Readonly<Record<string, unknown>>

/** Longer than anybody may ask for: a page of events costs nearly the same, however long it is. */
const pageSize = 500

/** Where the next page begins: among those that are not newer than `until`, behind so many. */
interface ListPlace {
  /** Null: with the first of the list. */
  readonly until: string | null
  readonly behind: number
}

/**
 * A whole list of the API, page by page, by its own handler and with the request's filters. A page
 * begins at the time at which the one before it has ended, so that the last one costs what the
 * first does, and what is made meanwhile moves nothing. Of lists that know no time, which are
 * short, it is one of so many.
 */
export async function* listWalk(
  list: Route,
  request: Request,
): AsyncGenerator<readonly ListItem[], void> {
  const by = walkedLists.get(list.pattern) ?? 'pages'
  let place: ListPlace = { until: null, behind: 0 }
  for (;;) {
    const items = await pageAt(list, request, place)
    yield items.slice(place.behind % pageSize)
    if (items.length < pageSize || by === 'whole') return
    place = placeAfter(place, items, by === 'pages' ? null : by.field)
  }
}

function placeAfter(
  { until, behind }: ListPlace,
  items: readonly ListItem[],
  field: string | null,
): ListPlace {
  const passed = behind - (behind % pageSize) + items.length
  if (field === null) return { until, behind: passed }
  const last = String(items.at(-1)?.[field])
  if (last === until) return { until, behind: passed }
  return { until: last, behind: items.filter((item) => String(item[field]) === last).length }
}

/** The list's own answer to the request, for another page of it. */
async function pageAt(
  list: Route,
  request: Request,
  { until, behind }: ListPlace,
): Promise<readonly ListItem[]> {
  const own = new Map([
    ['page_size', String(pageSize)],
    ['page_number', String(Math.floor(behind / pageSize))],
    // With limit, the ledger would answer another number of entries than it was asked for; the
    // endpoints of webhooks know no other word for it.
    ['limit', list.pattern === '/webhooks' ? String(limits.pageSizeMax) : null],
  ])
  const by = walkedLists.get(list.pattern)
  if (until !== null && typeof by === 'object') own.set(by.until, until)
  const query: Request['query'] = (asked) => {
    const given = own.get(asked)
    return given === undefined ? request.query(asked) : given
  }
  const { body } = await list.handler({ ...request, query, pageSizeMax: pageSize })
  const { items, data = [] } = body as { readonly [name: string]: readonly ListItem[] }
  return items ?? data
}
