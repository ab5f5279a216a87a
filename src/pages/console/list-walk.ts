import type { Request, Route } from '../../edge/http/route.ts'

/** One thing of a list, as the API shows it. */
export type ListItem = Readonly<Record<string, unknown>>

const pageSize = 100

/** Lists with the newest first: the filter that says up to when, and the field that it is about. */
const newestFirst: ReadonlyMap<string, readonly [until: string, field: string]> = new Map([
  ['/balances/ledger', ['created_at_lte', 'created_at']],
  ['/customers', ['created_at_lte', 'created_at']],
  ['/disputes', ['created_at_lte', 'created_at']],
  ['/events', ['end', 'timestamp']],
  ['/license_keys', ['created_at_lte', 'created_at']],
  ['/payments', ['created_at_lte', 'created_at']],
  ['/payouts', ['created_at_lte', 'created_at']],
  ['/refunds', ['created_at_lte', 'created_at']],
  ['/subscriptions', ['created_at_lte', 'created_at']],
])

/** Those that answer all of it at once, whatever page is asked for. */
const wholeLists: ReadonlySet<string> = new Set(['/brands'])

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
  let place: ListPlace = { until: null, behind: 0 }
  for (;;) {
    const items = await pageAt(list, request, place)
    yield items.slice(place.behind % pageSize)
    if (items.length < pageSize || wholeLists.has(list.pattern)) return
    place = placeAfter(place, items, newestFirst.get(list.pattern)?.[1] ?? null)
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
    // With limit, the ledger would answer another number of entries than it was asked for.
    ['limit', null],
  ])
  const [name] = newestFirst.get(list.pattern) ?? []
  if (until !== null && name !== undefined) own.set(name, until)
  const query: Request['query'] = (asked) => {
    const given = own.get(asked)
    return given === undefined ? request.query(asked) : given
  }
  const { body } = await list.handler({ ...request, query })
  const { items } = body as { readonly items: readonly ListItem[] }
  return items
}
