import type { Outlet } from '../../edge/http/flowing.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { route } from '../../edge/http/route.ts'
import { csvLine, flatFields } from './csv-lines.ts'

const pageSize = 100
/** Beyond it a list is better read by a program, with a key. */
const rowsMax = 1_000_000

type Item = Readonly<Record<string, unknown>>

/**
 * Lists of the API as CSV, written while they are read: page by page, by the lists' own handlers
 * and with their filters, so that a file says what the list says.
 */
export const exportRoutes = (api: readonly Route[]): readonly Route[] =>
  api.filter(isList).map((list) => ({
    ...route('GET', `/export${list.pattern}`, 'read', (request) => exported(list, request)),
  }))

const isList = ({ method, pattern, access }: Route): boolean =>
  method === 'GET' && access === 'read' && lists.has(pattern)

/** Those that answer `items`. */
const lists: ReadonlySet<string> = new Set([
  '/addons',
  '/balances/ledger',
  '/brands',
  '/credit-entitlements',
  '/customers',
  '/discounts',
  '/disputes',
  '/events',
  '/license_keys',
  '/meters',
  '/payments',
  '/payouts',
  '/product-collections',
  '/products',
  '/refunds',
  '/subscriptions',
])

/** Those that answer all of it at once, whatever page is asked for. */
const wholeLists: ReadonlySet<string> = new Set(['/brands'])

/** The first page is read before the answer begins, so that what is refused is refused as ever. */
async function exported(list: Route, request: Request): Promise<Reply> {
  const first = await pageOf(list, request, 0)
  const columns = Object.keys(flatFields(first[0] ?? {}))
  const name = list.pattern.slice(1).replaceAll('/', '-')
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    flowing: {
      beginning: csvLine(columns),
      // Nothing can be said in a file that says nothing: a blank line is left out by every reader.
      filler: '',
      opened(outlet) {
        write(list, request, { outlet, columns, first }).catch(() => outlet.end())
      },
    },
  }
}

interface Writing {
  readonly outlet: Outlet
  readonly columns: readonly string[]
  readonly first: readonly Item[]
}

async function write(list: Route, request: Request, { outlet, columns, first }: Writing) {
  let items = first
  for (let page = 0; !outlet.over; page += 1) {
    const lines = items.map((item) => {
      const fields = flatFields(item)
      return csvLine(columns.map((column) => fields[column]))
    })
    if (lines.length > 0 && !outlet.write(lines.join(''))) await outlet.drained()
    const isLast = items.length < pageSize || wholeLists.has(list.pattern)
    if (isLast || (page + 1) * pageSize >= rowsMax) break
    items = await pageOf(list, request, page + 1)
  }
  outlet.end()
}

/** The list's own answer to the request, for another page of it. */
async function pageOf(list: Route, request: Request, page: number): Promise<readonly Item[]> {
  const own: Readonly<Record<string, string>> = {
    page_size: String(pageSize),
    page_number: String(page),
  }
  const asked: Request = {
    ...request,
    query: (name) => own[name] ?? request.query(name),
  }
  const { body } = await list.handler(asked)
  const { items } = body as { readonly items: readonly Item[] }
  return items
}
