import { describe, expect, it } from 'vitest'
import { goingOn } from '../../../src/pages/console/app/going-on.ts'

const by = { until: 'created_at_lte', field: 'created_at' }

type Row = Readonly<Record<'id' | 'created_at', string>>

/** Rows of which so many have the same time. */
const rowsOf = (count: number, same: number): Row[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `id-${String(n).padStart(5, '0')}`,
    created_at: new Date(Math.floor(n / same) * 1_000).toISOString(),
  }))

/** The list as the API has it: newest first, by pages, up to a time. It counts what it reads. */
function listed(rows: readonly Row[], query: readonly (readonly [string, string])[]) {
  const asked = new Map(query)
  const [size, number] = [Number(asked.get('page_size')), Number(asked.get('page_number') ?? 0)]
  if (size > 100) throw new Error('The API answers 100 at once.')
  const until = asked.get('created_at_lte')
  const found = rows
    .filter((row) => until === undefined || row.created_at <= until)
    .toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1))
  const items = found.slice(number * size, (number + 1) * size)
  return { items, read: number * size + items.length }
}

function walked(rows: readonly Row[]) {
  const pages = goingOn()
  const ids: string[] = []
  let most = 0
  for (let page = 0; page < 1_000; page += 1) {
    const asked = { list: '/customers', page, by }
    const { items, read } = listed(rows, pages.queryOf(asked))
    const shown = pages.rowsOf(asked, items)
    most = Math.max(most, read)
    ids.push(...shown.map(({ id }) => id))
    if (shown.length < pages.size) return { ids, most, pages }
  }
  throw new Error('The walk has no end.')
}

const newestFirst = (rows: readonly Row[]): readonly string[] =>
  rows.map(({ id }) => id).toReversed()

describe('going on from page to page', () => {
  it.each([1, 2, 7, 49, 50, 51])('shows each once where %i have the same time', (same) => {
    const rows = rowsOf(1_234, same)
    const { ids, most } = walked(rows)
    expect([ids.length, new Set(ids).size]).toEqual([1_234, 1_234])
    // A page costs about what the first does, whatever lies in front of it.
    if (same < 50) expect(most).toBeLessThanOrEqual(100)
  })

  it('shows what pages by number show, also where more have one time than fit a page', () => {
    for (const same of [1, 60, 120, 1_000]) {
      const rows = rowsOf(500, same)
      const { ids } = walked(rows)
      const whole = listed(rows, [['page_size', '100']]).items.map(({ id }) => id)
      expect([same, ids.slice(0, 100)]).toEqual([same, whole])
      expect(new Set(ids).size).toBe(500)
    }
    expect(walked(rowsOf(300, 1)).ids).toEqual(newestFirst(rowsOf(300, 1)))
  })

  it('is moved by nothing that is made meanwhile', () => {
    const pages = goingOn()
    const rows = rowsOf(200, 1)
    const first = { list: '/customers', page: 0, by }
    pages.rowsOf(first, listed(rows, pages.queryOf(first)).items)
    const made = [...rows, ...rowsOf(220, 1).slice(200)]
    const second = { ...first, page: 1 }
    const shown = pages.rowsOf(second, listed(made, pages.queryOf(second)).items)
    expect(shown.map(({ id }) => id)).toEqual(newestFirst(rows).slice(50, 100))
  })

  it('of a page that nobody came to by the one before, or of another filter, asks by number', () => {
    const { pages } = walked(rowsOf(500, 1))
    const number = [
      ['page_size', '50'],
      ['page_number', '3'],
    ]
    expect(pages.queryOf({ list: '/customers?name=a', page: 3, by })).toEqual(number)
    expect(goingOn().queryOf({ list: '/customers', page: 3, by })).toEqual(number)
    expect(pages.queryOf({ list: '/customers', page: 3, by: null })).toEqual(number)
  })
})
