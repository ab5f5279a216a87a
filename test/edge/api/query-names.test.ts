import { describe, expect, it } from 'vitest'
import { refusingMisspelled } from '../../../src/edge/api/query-names.ts'
import { queries } from '../../../src/edge/http/query.ts'
import type { Request } from '../../../src/edge/http/route.ts'
import { ok, route } from '../../../src/edge/http/route.ts'
import { named } from '../../../src/wire/answers/shape.ts'
import { textQuery } from '../../../src/wire/described/described.ts'

const thing = { id: 'listThings', summary: 'Things', answers: named('Thing', {}) } as const
const described = {
  'GET /things': { ...thing, paged: true, query: { customer_id: textQuery, name: textQuery } },
  'GET /sales': {
    ...thing,
    query: { code: textQuery, created_at_gte: textQuery, created_at_lte: textQuery },
  },
  'GET /things/:id': thing,
} as const
const [list, one, sales] = refusingMisspelled(
  ['/things', '/things/:id', '/sales'].map((pattern) =>
    route('GET', pattern, 'read', async () => ok({})),
  ),
  described,
)
const asked = (query: string): Request => ({ ...queries(query) }) as Request

describe('a parameter of a query', () => {
  it.each([
    ['custmer_id=a', 'custmer_id looks like a misspelling of customer_id'],
    ['customerId=a', 'customerId looks like a misspelling of customer_id'],
    ['name=a&page-size=1', 'page-size looks like a misspelling of page_size'],
    ['nmae=a', 'are customer_id, name, page_number, page_size.'],
  ])('that is misspelled is refused by name: %s', async (query, sentence) => {
    await expect(list?.handler(asked(query))).rejects.toMatchObject({
      code: 'INVALID_QUERY_PARAMS',
      message: expect.stringContaining(sentence),
    })
  })

  it.each([
    '',
    'customer_id=a&page_size=1',
    'utm_source=a&_=1',
    // The one that was meant is there, too.
    'customer_id=a&customerId=a',
  ])('that nobody knows is ignored: %s', async (query) => {
    expect(await list?.handler(asked(query))).toEqual(ok({}))
  })

  it('is told of the one that it is nearest to', async () => {
    const message = expect.stringContaining(
      'created_at_lt looks like a misspelling of created_at_lte',
    )
    await expect(sales?.handler(asked('created_at_lt=a'))).rejects.toMatchObject({ message })
  })

  it('is no misspelling of a short one that begins with another letter', async () => {
    expect(await sales?.handler(asked('mode=test'))).toEqual(ok({}))
    await expect(sales?.handler(asked('coed=a'))).rejects.toMatchObject({
      code: 'INVALID_QUERY_PARAMS',
    })
  })

  it('is ignored where there are none', async () => {
    expect(await one?.handler(asked('customerid=a&page_sze=1'))).toEqual(ok({}))
  })
})
