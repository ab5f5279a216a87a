import { describe, expect, it } from 'vitest'
import { ageWatch, oldestSeconds } from '../../src/sidecar/age-watch.ts'
import type { Instant } from '../../src/std/instant.ts'
import { hour, instantOf, minute } from '../../src/std/instant.ts'
import { manualClock, noon } from '../support/edge/test-server.ts'
import type { Logged } from '../support/runtime/logger.ts'
import { rememberingLogger } from '../support/runtime/logger.ts'

/** What the watch says of a spool whose first event has waited so long. */
async function told(age: number | null, backfill = 0): Promise<readonly Logged[]> {
  const clock = manualClock()
  const oldestAt: Instant | null = age === null ? null : instantOf(noon - age)
  const logger = rememberingLogger()
  const spool = { events: age === null ? 0 : 7, oldestAt }
  const watch = ageWatch({ spool, backfill: () => backfill, clock, logger })
  watch.start()
  await watch.stop()
  return logger.told
}

describe('the watch over the age of what waits [events#times]', () => {
  it('says nothing of an empty spool, nor of one that is young', async () => {
    expect(await told(null)).toEqual([])
    expect(await told(0)).toEqual([])
    expect(await told(44 * minute)).toEqual([])
  })

  it('warns a quarter of an hour before the hour is over, and when it is', async () => {
    const [soon, ...more] = await told(45 * minute)
    expect(soon).toMatchObject({
      level: 'warn',
      fields: { oldestSeconds: 2_700, windowSeconds: 3_600, events: 7 },
      message: expect.stringContaining('will soon be too old'),
    })
    expect(soon?.message).toContain('--backfill')
    expect(more).toEqual([])
    const [late] = await told(hour)
    expect(late).toMatchObject({ level: 'warn', message: expect.stringContaining('are too old') })
  })

  it('gives a key that may backfill as long as that', async () => {
    expect(await told(5 * hour + 44 * minute, 6 * hour)).toEqual([])
    const [soon] = await told(5 * hour + 45 * minute, 6 * hour)
    expect(soon?.fields).toMatchObject({ windowSeconds: 21_600 })
    // A key without the right may send what is up to an hour old, too.
    expect(await told(30 * minute, minute)).toEqual([])
  })

  it('measures age by its own clock, and never below nothing', () => {
    const clock = manualClock()
    const of = (oldestAt: Instant | null) =>
      oldestSeconds({ spool: { events: 1, oldestAt }, clock })
    expect([of(null), of(instantOf(noon - minute)), of(instantOf(noon + minute))]).toEqual([
      0, 60, 0,
    ])
  })
})
