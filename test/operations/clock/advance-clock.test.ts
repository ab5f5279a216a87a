import { afterAll, beforeAll, expect, it } from 'vitest'
import { advanceClock } from '../../../src/operations/clock/advance-clock.ts'
import { boundaries } from '../../../src/parts/store/postgres/boundaries.ts'
import { businesses } from '../../../src/parts/store/postgres/businesses.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, after as later } from '../../../src/std/instant.ts'
import type { ScratchStore } from '../../support/store.ts'
import { january, scratchStore } from '../../support/store.ts'

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
