import { expect, it } from 'vitest'
import { watchLogClocks } from '../../src/runtime/log-clocks.ts'
import { hour, minute, second } from '../../src/std/instant.ts'
import { quiet } from '../support/runtime/logger.ts'

it('tells of the broker whose clock is furthest off, and forgets those that are gone', () => {
  let now = 0
  const told: number[] = []
  const clocks = watchLogClocks({
    logger: quiet,
    monotonic: () => now,
    differs: (ahead) => told.push(ahead),
  })
  expect(clocks.check().state).toBe('ok')
  clocks.told(1, 59 * second)
  expect(clocks.check().state).toBe('ok')
  clocks.told(2, -50 * hour)
  clocks.told(3, 5 * hour)
  expect(told).toEqual([59 * second, -50 * hour, -50 * hour])
  expect(clocks.check()).toEqual({
    state: 'degraded',
    reason: "The clock of Kafka's broker 2 differs from the time that is believed (-180000 s).",
  })
  clocks.told(2, 0)
  expect(clocks.check().reason).toContain('broker 3')
  now = 11 * minute
  expect(clocks.check().state).toBe('ok')
})
