import { describe, expect, it } from 'vitest'
import { describedRoutes } from '../../../src/edge/api/openapi.ts'
import { route } from '../../../src/edge/http/route.ts'
import { exportRoutes } from '../../../src/pages/console/exports.ts'
import { walkedLists } from '../../../src/pages/console/walked-lists.ts'

/** What answers a list by another name than `items`, or is no part of the API. */
const others = [
  '/webhooks',
  '/keys',
  '/customers/:customer_id/wallets',
  '/subscriptions/:id/credit-usage',
]

const described = Object.entries(describedRoutes).flatMap(([name, { answers, paged, query }]) => {
  const [method, pattern = ''] = name.split(' ')
  const isList = typeof answers === 'object' && answers !== null && 'items' in answers
  return method === 'GET' && isList ? [{ pattern, isPaged: paged === true, query }] : []
})

describe('lists as files', () => {
  it('are there of every list that the API describes', () => {
    expect(described.length).toBeGreaterThan(30)
    const known = [...walkedLists.keys()].filter((pattern) => !others.includes(pattern))
    expect(known.toSorted()).toEqual(described.map(({ pattern }) => pattern).toSorted())
    const routes = exportRoutes(
      described.map(({ pattern }) => route('GET', pattern, 'read', async () => ({ status: 200 }))),
    )
    expect(routes).toHaveLength(described.length)
  })

  it.each(described)('walk as the list is: $pattern', ({ pattern, isPaged, query }) => {
    const by = walkedLists.get(pattern)
    expect(by === 'whole').toBe(!isPaged)
    // A filter that the list does not know would show the same page for ever.
    if (typeof by === 'object') expect(Object.keys(query ?? {})).toContain(by.until)
  })
})
