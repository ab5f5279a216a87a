import { expect, it } from 'vitest'
import { ageWatch } from '../../src/sidecar/age-watch.ts'
import { after, hour, instantOf, minute } from '../../src/std/instant.ts'
import { clockOf } from '../support/runtime/clock.ts'
import type { Logged } from '../support/runtime/logger.ts'
import { rememberingLogger } from '../support/runtime/logger.ts'

const now = instantOf(1_796_000_000_000_000)

/** What the watch says at its first look, when the oldest event has waited for `waited`. */
async function said(waited: number, backfill = 0): Promise<readonly Logged[]> {
  const logger = rememberingLogger()
  const watch = ageWatch({
    spool: { events: 3, oldestAt: after(now, -waited) },
    backfill: () => backfill,
    clock: clockOf(() => now),
    logger,
  })
  watch.start()
  await watch.stop()
  return logger.told
}

it('warns when events will soon be too old for the gateway, and when they are', async () => {
  expect(await said(44 * minute)).toEqual([])
  expect(await said(46 * minute)).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/soon be too old/) }),
  ])
  expect(await said(61 * minute)).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/are too old/) }),
  ])
})

it('goes by the age that the key may send', async () => {
  expect(await said(61 * minute, 3 * hour)).toEqual([])
  expect(await said(3 * hour - minute, 3 * hour)).toHaveLength(1)
})
