import { describe, expect, it } from 'vitest'
import type { Request, Route } from '../../../src/edge/http/route.ts'
import { ok, route } from '../../../src/edge/http/route.ts'
import { listWalk } from '../../../src/pages/console/list-walk.ts'

interface Row {
  readonly id: string
  readonly created_at: string
}

const second = (of: number): string => new Date(of * 1_000).toISOString()
const rowAt = (at: number, id: string): Row => ({ id, created_at: second(at) })

/** A list as the store has it: newest first, by pages, up to a time. It counts what it reads. */
function listOf(rows: Row[], pattern: string) {
  const counts = { pages: 0, read: 0 }
  const list: Route = route('GET', pattern, 'read', async ({ query }) => {
    const [size, number] = [Number(query('page_size')), Number(query('page_number'))]
    const [until, limit] = [query('created_at_lte'), query('limit')]
    if (limit !== null) throw new Error('The walk has a page size of its own.')
    const found = rows
      .filter((row) => until === null || row.created_at <= until)
      .toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1))
    const items = found.slice(number * size, (number + 1) * size)
    counts.pages += 1
    counts.read += number * size + items.length
    return ok({ items })
  })
  return { list, counts }
}

const asking = (filters: Readonly<Record<string, string>> = {}): Request =>
  ({ query: (name: string) => filters[name] ?? null }) as unknown as Request

async function walked(list: Route, request: Request): Promise<readonly unknown[]> {
  const ids: unknown[] = []
  for await (const items of listWalk(list, request)) ids.push(...items.map(({ id }) => id))
  return ids
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id).toSorted()

describe('a walk through a whole list', () => {
  it.each([0, 1, 499, 500, 501, 1_000, 1_234])(
    'meets each of %i once, in their order',
    async (count) => {
      const rows = Array.from({ length: count }, (_, n) => rowAt(n, `id-${n}`))
      const { list } = listOf(rows, '/customers')
      const ids = await walked(list, asking())
      expect(ids).toEqual(rows.map(({ id }) => id).toReversed())
    },
  )

  it.each([1, 2, 7, 700, 1_600])('meets each once where %i have the same time', async (same) => {
    const rows = Array.from({ length: 4_000 }, (_, n) => rowAt(Math.floor(n / same), `id-${n}`))
    const { list } = listOf(rows, '/payments')
    const ids = await walked(list, asking())
    expect([ids.length, ids.toSorted()]).toEqual([4_000, idsOf(rows)])
  })

  it('reads hardly more than it answers, however long the list is', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => rowAt(Math.floor(n / 3), `id-${n}`))
    const { list, counts } = listOf(rows, '/subscriptions')
    expect((await walked(list, asking())).length).toBe(5_000)
    expect(counts.read).toBeLessThan(5_300)
  })

  it('meets what was there once, while more is made and some goes', async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => rowAt(n, `id-${n}`))
    const { list } = listOf(rows, '/refunds')
    const ids: unknown[] = []
    for await (const items of listWalk(list, asking())) {
      ids.push(...items.map(({ id }) => id))
      for (let more = 0; more < 30; more += 1)
        rows.push(rowAt(5_000 + rows.length, `new-${rows.length}`))
      rows.splice(
        rows.findIndex(({ id }) => id === ids.at(-2)),
        1,
      )
    }
    expect([ids.length, new Set(ids).size]).toEqual([2_000, 2_000])
  })

  it('keeps the filters of who asks, and a page size of its own', async () => {
    const rows = Array.from({ length: 500 }, (_, n) => rowAt(n, `id-${n}`))
    const { list } = listOf(rows, '/balances/ledger')
    const ids = await walked(list, asking({ created_at_lte: second(249), limit: '3' }))
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([250, 'id-249', 'id-0'])
  })

  it('goes by numbers through a list that knows no time, and once through one without pages', async () => {
    const rows = Array.from({ length: 1_250 }, (_, n) => rowAt(n, `id-${n}`))
    const paged = listOf(rows, '/meters')
    expect((await walked(paged.list, asking())).length).toBe(1_250)
    expect(paged.counts.pages).toBe(3)
    const whole: Route = route('GET', '/brands', 'read', async () => ok({ items: rows }))
    expect((await walked(whole, asking())).length).toBe(1_250)
  })
})
