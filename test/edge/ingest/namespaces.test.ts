import { afterEach, describe, expect, it } from 'vitest'
import type { Namespaces } from '../../../src/edge/ingest/namespaces.ts'
import { openNamespaces } from '../../../src/edge/ingest/namespaces.ts'
import { quiet } from '../../support/runtime/logger.ts'

type Row = { readonly partition: number; readonly namespace: string; readonly nextOffset: number }

describe('the namespaces of the edge', () => {
  let open: Namespaces | undefined
  afterEach(() => open?.close())

  it('become known as partitions are taken, and stay while the store is away', async () => {
    const books = [[], [row('a', 0)], [row('a', 0)], new Error('away')]
    const { asked, namespaces } = opened({ books, reached: () => 0, partitions: 2 })
    expect(namespaces.of(0)).toBeNull()
    await expect.poll(asked).toBeGreaterThanOrEqual(4)
    expect([namespaces.of(0), namespaces.of(1)]).toEqual(['a', null])
  })

  it('are not believed before the cache was compared with the books', async () => {
    let end: number | null = null
    const { asked, namespaces } = opened({ books: [[row('a', 7)]], reached: () => end })
    await expect.poll(asked).toBeGreaterThanOrEqual(3)
    expect(namespaces.of(0)).toBeNull()
    end = 7
    await expect.poll(() => namespaces.of(0)).toBe('a')
    // Away again: what was compared once goes on from there.
    end = null
    const since = asked()
    await expect.poll(asked).toBeGreaterThanOrEqual(since + 2)
    expect(namespaces.of(0)).toBe('a')
  })

  it('are not believed where the cache knows more than the books, until another is named', async () => {
    let books = [row('a', 7)]
    const ends: Record<string, number> = { a: 8, b: 7 }
    const { asked, namespaces } = opened({
      books: () => books,
      reached: (namespace) => ends[namespace] ?? null,
    })
    await expect.poll(asked).toBeGreaterThanOrEqual(3)
    expect(namespaces.of(0)).toBeNull()
    books = [row('b', 7)]
    await expect.poll(() => namespaces.of(0)).toBe('b')
    // Books that are put back while the edge runs.
    books = [row('b', 6)]
    await expect.poll(() => namespaces.of(0)).toBeNull()
  })

  function opened(world: {
    readonly books: readonly (readonly Row[] | Error)[] | (() => readonly Row[])
    readonly reached: (namespace: string) => number | null
    readonly partitions?: number
  }) {
    const { books, reached, partitions = 1 } = world
    let asked = 0
    const source = {
      async checkpoints() {
        asked += 1
        const answer =
          typeof books === 'function' ? books() : books[Math.min(asked, books.length) - 1]
        if (answer === undefined || answer instanceof Error) throw answer
        return answer
      },
    }
    const filter = {
      reached: async (of: readonly { readonly namespace: string }[]) =>
        of.map(({ namespace }) => reached(namespace)),
    }
    const namespaces = openNamespaces({ source, filter, partitions, logger: quiet })
    open = namespaces
    return { asked: () => asked, namespaces }
  }
})

const row = (namespace: string, nextOffset: number): Row => ({
  partition: 0,
  namespace,
  nextOffset,
})
