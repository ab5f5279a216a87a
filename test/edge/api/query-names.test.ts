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
  'GET /things/:id': thing,
} as const
const [list, one] = refusingMisspelled(
  ['/things', '/things/:id'].map((pattern) => route('GET', pattern, 'read', async () => ok({}))),
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

  it('is ignored where there are none', async () => {
    expect(await one?.handler(asked('customerid=a&page_sze=1'))).toEqual(ok({}))
  })
})
