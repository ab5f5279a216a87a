import { afterAll, beforeAll, expect, it } from 'vitest'
import { advanceClock } from '../../../src/operations/clock/advance-clock.ts'
import { boundaries } from '../../../src/parts/store/postgres/accounts/boundaries.ts'
import { businesses } from '../../../src/parts/store/postgres/catalog/businesses.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, formatInstant, after as later } from '../../../src/std/instant.ts'
import { linesOf, startChild } from '../../support/process/child.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { january, scratchStore } from '../../support/store/scratch-store.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

it('a clock that many advance at once goes on by all of it', async () => {
  const scope = await store.business()
  const needs = {
    ...store,
    clock: { now: (): Instant => january },
    boundaries: boundaries(store.db),
    businesses: businesses(store.db),
    measuring: { watermark: async () => later(january, day) },
  }
  const told = await Promise.all(
    ['P20D', 'P1D', 'P20D'].map((by) => advanceClock(needs, scope, by)),
  )
  expect(told).toEqual([20, 21, 41].map((days) => later(january, days * day)))
  expect(await needs.businesses.clockAhead(scope)).toBe(41 * day)
})

it('two processes that advance one clock at once both count', async () => {
  const scope = await store.business()
  const own = businesses(store.db)
  const needs = {
    ...store,
    clock: { now: (): Instant => january },
    boundaries: boundaries(store.db),
    measuring: { watermark: async () => later(january, day) },
  }
  // While the first is under way, another process advances the clock from beginning to end.
  let other: readonly string[] | null = null
  const between = {
    ...own,
    async clockAhead(of: typeof scope) {
      const ahead = await own.clockAhead(of)
      const words = [store.url, of.businessId, 'P1D', formatInstant(january)]
      other ??= await linesOf(startChild('store/advancing-child', words), null)
      return ahead
    },
  }
  const told = await advanceClock({ ...needs, businesses: between }, scope, 'P20D')
  expect(other).toEqual([String(later(january, day))])
  expect(told).toBe(later(january, 21 * day))
  expect(await own.clockAhead(scope)).toBe(21 * day)
})
