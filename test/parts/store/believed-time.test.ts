import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { leases } from '../../../src/parts/store/postgres/telling/leases.ts'
import { believedTimes } from '../../../src/parts/store/postgres/usage/believed-time.ts'
import { hour, instantOfMs } from '../../../src/std/instant.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

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

it("is the store's time too, whatever its own clock says", async () => {
  const { db } = scratch
  const at = instantOfMs(Date.UTC(2026, 0, 31, 12))
  await believedTimes(db, null).remember({ at, monotonic: 0 })
  // As after a step of the server's clock: by so much, forward and back.
  for (const days of [120, -120]) {
    await db.query(sql`
      update believed_time set told_at = clock_timestamp() - ${days}::integer * interval '1 day'`)
    const [row] = await db.query<{ now: number }>(sql`select believed_now() as now`)
    expect(row?.now).toBe(days > 0 ? at + 60_000_000 : at)
  }
})

it('frees at once what was taken while the clock was far ahead', async () => {
  const { db } = scratch
  const { take } = leases(db)
  expect(await take('work', 'one', 10_000)).toBe(true)
  expect(await take('work', 'two', 10_000)).toBe(false)
  await db.query(sql`update leases set held_until = held_until + interval '120 days'`)
  expect(await take('work', 'two', 10_000)).toBe(true)
  expect(await take('work', 'one', 10_000)).toBe(false)
})
