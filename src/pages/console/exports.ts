import type { Outlet } from '../../edge/http/flowing.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { route } from '../../edge/http/route.ts'
import { csvLine } from '../../std/csv.ts'
import { flatFields } from './flat-fields.ts'
import type { ListItem } from './list-walk.ts'
import { listWalk } from './list-walk.ts'
import { walkedLists } from './walked-lists.ts'

/**
 * Lists of the API as CSV, written while they are read: page by page, by the lists' own handlers
 * and with their filters, so that a file says what the list says.
 */
export const exportRoutes = (api: readonly Route[]): readonly Route[] =>
  api.flatMap((one) => [
    ...(isList(one)
      ? [route('GET', `/export${one.pattern}`, 'read', (request) => exported(one, request))]
      : []),
    ...(one.method === 'GET' ? (listedIn.get(one.pattern) ?? []) : []).map((field) =>
      route('GET', `/export${one.pattern}/${field}`, 'read', (request) =>
        exportedOf(one, request, field),
      ),
    ),
  ])

/** Lists that have no address of their own: the fields of the things that show them whole. */
export const listedIn: ReadonlyMap<string, readonly string[]> = new Map([
  ['/payments/:id', ['disputes', 'refunds']],
])

const isList = ({ method, pattern, access }: Route): boolean =>
  method === 'GET' && access === 'read' && walkedLists.has(pattern)

/** The first page is read before the answer begins, so that what is refused is refused as ever. */
async function exported(list: Route, request: Request): Promise<Reply> {
  const pages = listWalk(list, request)
  const first = (await pages.next()).value ?? []
  const columns = columnsOf(first, optional.get(list.pattern) ?? [])
  const name = list.pattern
    .slice(1)
    .replaceAll(/:\w+\//g, '')
    .replaceAll('/', '-')
  return {
    status: 200,
    headers: headersOf(name),
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

/** A list that stands within a thing, by the thing's own handler. */
async function exportedOf(one: Route, request: Request, field: string): Promise<Reply> {
  const { body } = await one.handler(request)
  return fileOf(field, (body as { readonly [name: string]: readonly ListItem[] })[field] ?? [])
}

/** A list that is short and whole, as such a file. */
export function fileOf(name: string, items: readonly ListItem[]): Reply {
  const columns = columnsOf(items, [])
  return { status: 200, headers: headersOf(name), raw: csvLine(columns) + linesOf(columns, items) }
}

const headersOf = (name: string): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': `attachment; filename="${name}.csv"`,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
})

/** Fields that only some of the things of a list have. */
const optional: ReadonlyMap<string, readonly string[]> = new Map([
  ['/events', ['voided_at', 'void_reason', 'void_status']],
])

/** Those of the first page, in its order: a part that one lacks another of them may have. */
function columnsOf(first: readonly ListItem[], more: readonly string[]): readonly string[] {
  const names = new Set(first.flatMap((item) => Object.keys(flatFields(item))))
  // Of a part that is null in one and whole in another its fields stand for it.
  const parts = [...names].filter((name) => [...names].some((one) => one.startsWith(`${name}.`)))
  if (first.length > 0) for (const name of more) names.add(name)
  return [...names].filter((name) => !parts.includes(name))
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
      // A part that was null on the first page has one column, with all of it.
      return csvLine(columns.map((column) => fields[column] ?? item[column]))
    })
    .join('')
