import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { advanceClock } from '../../../src/operations/clock/advance-clock.ts'
import { boundaries } from '../../../src/parts/store/postgres/accounts/boundaries.ts'
import { businesses } from '../../../src/parts/store/postgres/catalog/businesses.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, after as later } from '../../../src/std/instant.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { january, scratchStore } from '../../support/store/scratch-store.ts'

// The module is loaded a second time, so that it has its own turns, as in another process.
vi.resetModules()
const { advanceClock: advanceElsewhere } = await import(
  '../../../src/operations/clock/advance-clock.ts'
)

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
  const other: Promise<Instant>[] = []
  const between = {
    ...own,
    async clockAhead(of: typeof scope) {
      const ahead = await own.clockAhead(of)
      if (other.length === 0) {
        other.push(advanceElsewhere({ ...needs, businesses: own }, scope, 'P1D'))
        await other[0]
      }
      return ahead
    },
  }
  const told = await advanceClock({ ...needs, businesses: between }, scope, 'P20D')
  expect(await other[0]).toBe(later(january, day))
  expect(told).toBe(later(january, 21 * day))
  expect(await own.clockAhead(scope)).toBe(21 * day)
})
