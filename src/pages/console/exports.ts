import type { Outlet } from '../../edge/http/flowing.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { route } from '../../edge/http/route.ts'
import { csvLine } from '../../std/csv.ts'
import { flatFields } from './flat-fields.ts'
import type { ListItem } from './list-walk.ts'
import { listWalk } from './list-walk.ts'

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

/** The first page is read before the answer begins, so that what is refused is refused as ever. */
async function exported(list: Route, request: Request): Promise<Reply> {
  const pages = listWalk(list, request)
  const first = (await pages.next()).value ?? []
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
      beginning: csvLine(columns) + linesOf(columns, first),
      // Nothing can be said in a file that says nothing: a blank line is left out by every reader.
      filler: '',
      opened(outlet) {
        // Half a list must not look whole.
        write({ outlet, columns, pages }).catch(() => outlet.breakOff())
      },
    },
  }
}

interface Writing {
  readonly outlet: Outlet
  readonly columns: readonly string[]
  /** Behind those that are written. */
  readonly pages: AsyncIterable<readonly ListItem[]>
}

async function write({ outlet, columns, pages }: Writing): Promise<void> {
  for await (const items of pages) {
    if (outlet.over) return
    if (items.length > 0 && !outlet.write(linesOf(columns, items))) await outlet.drained()
  }
  outlet.end()
}

const linesOf = (columns: readonly string[], items: readonly ListItem[]): string =>
  items
    .map((item) => {
      const fields = flatFields(item)
      return csvLine(columns.map((column) => fields[column]))
    })
    .join('')
