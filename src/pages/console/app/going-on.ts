/** A list with the newest first: the filter that says up to when, and the field it is about. */
export interface ByTime {
  readonly until: string
  readonly field: string
}

type Row = Readonly<Record<string, unknown>>

/** Where a page begins: among rows that are not newer than a time, behind so many of that time. */
interface PageStart {
  readonly until: string
  readonly behind: number
}

export interface AskedPage {
  /** The list with its filters, without a page. */
  readonly list: string
  readonly page: number
  /** Null: a list that knows no time, whose pages have numbers alone. */
  readonly by: ByTime | null
}

const pageSize = 50
/** As many rows as the API answers at once. */
const mostAtOnce = 100
/** How many beginnings of pages are remembered. */
const startsMax = 2_000

/**
 * Remembers where pages begin, from the page before each: a page by its number reads all that lies
 * in front of it, one by its time costs what the first does. What is made meanwhile moves nothing.
 */
export function goingOn() {
  const starts = new Map<string, PageStart>()
  return { queryOf, rowsOf, size: pageSize }

  /** What of the query says which page. */
  function queryOf(asked: AskedPage): readonly (readonly [string, string])[] {
    const start = startOf(asked)
    if (start === null || asked.by === null) {
      return [
        ['page_size', String(pageSize)],
        ['page_number', String(asked.page)],
      ]
    }
    return [
      ['page_size', String(pageSize + start.behind)],
      [asked.by.until, start.until],
    ]
  }

  /** The rows of the page, of what was answered; what follows them begins behind the last one. */
  function rowsOf<T extends Row>(asked: AskedPage, items: readonly T[]): readonly T[] {
    const start = startOf(asked)
    const rows = items.slice(start?.behind ?? 0).slice(0, pageSize)
    const next = nextStart(asked, start, rows)
    if (next !== null) keep(nameOf({ ...asked, page: asked.page + 1 }), next)
    return rows
  }

  function startOf(asked: AskedPage): PageStart | null {
    return asked.by === null || asked.page === 0 ? null : (starts.get(nameOf(asked)) ?? null)
  }

  function keep(name: string, start: PageStart): void {
    starts.set(name, start)
    if (starts.size <= startsMax) return
    const [oldest] = starts.keys()
    if (oldest !== undefined) starts.delete(oldest)
  }
}

const nameOf = ({ list, page }: AskedPage): string => `${page} ${list}`

/** Null where it cannot be told, or would lie behind more of one time than are asked at once. */
function nextStart(
  { by, page }: AskedPage,
  start: PageStart | null,
  rows: readonly Row[],
): PageStart | null {
  if (by === null || rows.length < pageSize) return null
  const until = String(rows.at(-1)?.[by.field])
  const same = rows.filter((row) => String(row[by.field]) === until).length
  const isWhole = same === rows.length
  // Of a whole page of one time nobody knows how many of it stood on the pages before.
  if (isWhole && page > 0 && start?.until !== until) return null
  const behind = same + (isWhole && start?.until === until ? start.behind : 0)
  return pageSize + behind > mostAtOnce ? null : { until, behind }
}
