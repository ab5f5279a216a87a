import { afterAll, beforeAll, expect, it } from 'vitest'
import { believedTimes } from '../../../src/parts/store/postgres/believed-time.ts'
import { hour, instantOfMs } from '../../../src/std/instant.ts'
import type { ScratchDatabase } from '../../support/database.ts'
import { scratchDatabase } from '../../support/database.ts'

let scratch: ScratchDatabase
beforeAll(async () => {
  scratch = await scratchDatabase()
})
afterAll(() => scratch.drop())

it('keeps what was believed last, and monotonic time for its own machine only', async () => {
  const here = believedTimes(scratch.db, 'here 1')
  expect(await here.recall()).toMatchObject({ memory: null })
  const at = instantOfMs(Date.UTC(2026, 0, 31, 12))
  const toldAt = await here.remember({ at, monotonic: 7.5 })
  const nothing = await here.remember(null)
  expect(nothing).toBeGreaterThan(toldAt)
  const { now, memory } = await here.recall()
  expect(now).toBeGreaterThan(nothing)
  expect(now - toldAt).toBeLessThan(hour)
  expect(memory).toEqual({ at, toldAt, monotonic: 8 })
  for (const machine of ['here 2', null]) {
    const other = await believedTimes(scratch.db, machine).recall()
    expect(other.memory).toEqual({ at, toldAt, monotonic: null })
  }
})
