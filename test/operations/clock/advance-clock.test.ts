import { afterAll, beforeAll, expect, it } from 'vitest'
import { advanceClock } from '../../../src/operations/clock/advance-clock.ts'
import { boundaries } from '../../../src/parts/store/postgres/accounts/boundaries.ts'
import { businesses } from '../../../src/parts/store/postgres/catalog/businesses.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { voids } from '../../../src/parts/store/postgres/usage/voids.ts'
import { pauseFor } from '../../../src/runtime/pause.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, formatInstant, after as later } from '../../../src/std/instant.ts'
import { linesOf, startChild } from '../../support/process/child.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { january, scratchStore } from '../../support/store/scratch-store.ts'
import { pendingVoid } from '../../support/voids/pending-void.ts'

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
    voids: voids(store.db),
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
    voids: voids(store.db),
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

it('a clock waits for voids that are to be folded in a moment, and for no others', async () => {
  const scope = await store.business()
  const other = await store.business()
  const own = businesses(store.db)
  const needs = {
    ...store,
    clock: { now: (): Instant => january },
    boundaries: boundaries(store.db),
    businesses: own,
    measuring: { watermark: async () => later(january, day) },
    voids: voids(store.db),
  }
  await pendingVoid(store.db, { ...scope, customerId: 'cus_1' }, { at: january, tries: 0 })
  await pendingVoid(store.db, { ...other, customerId: 'cus_1' }, { at: january, tries: 8 })
  expect(await advanceClock(needs, other, 'P1D')).toBe(later(january, day))

  let over = false
  const advanced = advanceClock(needs, scope, 'P1D').finally(() => {
    over = true
  })
  await pauseFor(100)
  expect(over).toBe(false)
  expect(await own.clockAhead(scope)).toBe(0)
  await store.db.query(sql`delete from void_folds where business_id = ${scope.businessId}`)
  expect(await advanced).toBe(later(january, day))
})

it('a clock stands still before what a void from meanwhile is to be folded for', async () => {
  const scope = await store.business()
  const own = boundaries(store.db)
  const waiting = { kind: 'cycle_end', at: later(january, 1), scope, subscriptionId: 'x' } as const
  const folding = [false, true, true, false]
  let looks = 0
  const needs = {
    ...store,
    clock: { now: (): Instant => january },
    // Only the first look, while the void is folded, finds what is due.
    boundaries: {
      due: (...asked: Parameters<typeof own.due>) =>
        looks++ === 0 ? Promise.resolve([{ ...waiting, waits: true }]) : own.due(...asked),
    },
    businesses: businesses(store.db),
    measuring: { watermark: async () => later(january, day) },
    voids: { areFolding: async () => folding.shift() ?? false },
  }
  expect(await advanceClock(needs, scope, 'P1D')).toBe(later(january, day))
  expect(folding).toEqual([])
  expect(looks).toBe(2)
})
