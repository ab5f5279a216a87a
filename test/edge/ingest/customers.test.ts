import { expect, it } from 'vitest'
import type { CustomerDirectory } from '../../../src/edge/ingest/customers.ts'
import { knownCustomers } from '../../../src/edge/ingest/customers.ts'
import { Fault } from '../../../src/faults.ts'

function directory(...existing: readonly string[]) {
  const ids = new Set(existing)
  const asked: (readonly string[])[] = []
  let gone = false
  const port: CustomerDirectory = {
    async existing(businessId, mode, wanted) {
      asked.push(wanted)
      if (gone) throw new Fault('UNAVAILABLE', 'The store is away.')
      return new Set(wanted.filter((id) => ids.has(`${businessId}/${mode}/${id}`)))
    },
  }
  const away = () => {
    gone = true
  }
  return { port, ids, asked, away }
}

it('asks once for who exists, and every time for who does not', async () => {
  const store = directory('b/test/a')
  const customers = knownCustomers(store.port)
  expect(await customers.missing('b', 'test', new Set(['a', 'x']))).toEqual(new Set(['x']))
  store.ids.add('b/test/x')
  expect(await customers.missing('b', 'test', new Set(['a', 'x']))).toEqual(new Set())
  expect(await customers.missing('b', 'test', new Set(['a', 'x']))).toEqual(new Set())
  expect(store.asked).toEqual([['a', 'x'], ['x']])
})

it('keeps businesses and modes apart', async () => {
  const store = directory('b/test/a')
  const customers = knownCustomers(store.port)
  await customers.missing('b', 'test', new Set(['a']))
  expect(await customers.missing('b', 'live', new Set(['a']))).toEqual(new Set(['a']))
  expect(await customers.missing('c', 'test', new Set(['a']))).toEqual(new Set(['a']))
})

it('serves who is remembered while the store is away, and nobody else', async () => {
  const store = directory('b/test/a')
  const customers = knownCustomers(store.port)
  await customers.missing('b', 'test', new Set(['a']))
  store.away()
  expect(await customers.missing('b', 'test', new Set(['a']))).toEqual(new Set())
  await expect(customers.missing('b', 'test', new Set(['a', 'x']))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  })
})

it('forgets who has not been seen for long, and keeps who is in use', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `c${index}`)
  const store = directory(...['busy', ...ids].map((id) => `b/test/${id}`))
  const customers = knownCustomers(store.port, 10)
  for (const id of ids) await customers.missing('b', 'test', new Set(['busy', id]))
  expect(store.asked.flat().filter((id) => id === 'busy')).toHaveLength(1)
  await customers.missing('b', 'test', new Set(['c0']))
  expect(store.asked.flat().filter((id) => id === 'c0')).toHaveLength(2)
})
