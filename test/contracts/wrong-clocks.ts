import { describe, expect, test } from 'vitest'
import { believedTimes } from '../../src/parts/store/postgres/usage/believed-time.ts'
import type { Instant } from '../../src/std/instant.ts'
import { day, hour, after as later, minute, second } from '../../src/std/instant.ts'
import { holdPartition } from '../support/store/hold-partition.ts'
import { january, measuredOf, sliceOf } from '../support/store/scratch-store.ts'
import type { StoreDriver } from './accounts.ts'

/** What clocks that were wrong for a while leave in a store: nothing. [guarantees#clocks] */
export function testWrongClocks(driver: StoreDriver): void {
  describe(`a clock that was far ahead, in ${driver.name},`, () => {
    const [now, bent] = [later(january, hour), later(january, 120 * day)]

    test('leaves nothing behind in what is measured', async () => {
      const other = await driver.open()
      const { measuring } = other
      const beat = (at: Instant, next: number) =>
        measuring.heartbeat([{ partition: 0, epoch: 1, next, at, ran: 0 }])
      await holdPartition(other, 0)
      await beat(bent, 0)
      await beat(now, 0)
      expect(await measuring.watermark()).toBe(now)
      await measuring.commit(measuredOf({ slices: [sliceOf({ end: 2, logAt: bent })] }))
      expect(await measuring.watermark()).toBe(bent)
      await measuring.commit(measuredOf({ slices: [sliceOf({ start: 2, end: 4, logAt: now })] }))
      expect(await measuring.watermark()).toBe(now)
      await measuring.commit(measuredOf({ slices: [sliceOf({ start: 4, end: 6, logAt: bent })] }))
      await beat(now, 6)
      expect(await measuring.watermark()).toBe(now)
      // A little back is no step: what was measured up to there stays measured.
      await beat(later(now, -second), 6)
      expect(await measuring.watermark()).toBe(now)
      await other.drop()
    })

    test('leaves no partition halted for long in the future', async () => {
      const other = await driver.open()
      const { db, measuring } = other
      await believedTimes(db, null).remember({ at: now, monotonic: 0 })
      // Meanwhile the server's own clock has stepped.
      await db.query({
        text: "update believed_time set told_at = told_at - interval '120 days'",
        values: [],
      })
      await holdPartition(other, 0)
      await measuring.halt(0, 1, 'a reason')
      expect((await measuring.checkpoints())[0]?.leftOut).toBe(false)
      await believedTimes(db, null).remember({ at: later(now, 15 * minute), monotonic: 0 })
      expect((await measuring.checkpoints())[0]?.leftOut).toBe(false)
      await believedTimes(db, null).remember({ at: later(now, 17 * minute), monotonic: 0 })
      expect((await measuring.checkpoints())[0]?.leftOut).toBe(true)
      await other.drop()
    })
  })
}
