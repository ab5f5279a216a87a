import { expect, it } from 'vitest'
import { logClock } from '../../../src/engine/measuring/log-clock.ts'
import { hour, instantOf, minute, second } from '../../../src/std/instant.ts'
import { quiet } from '../../support/runtime/logger.ts'

const noon = 1_790_000_000_000_000

function watched() {
  let now = noon
  const told: number[] = []
  const clock = logClock({
    clock: { now: () => instantOf(now) },
    logger: quiet,
    skewed: (_, ahead) => told.push(ahead),
  })
  const read = (offset: number, at: number) => {
    const record = { partition: 0, offset, at: instantOf(at), value: new Uint8Array(), events: 1 }
    clock.read([{ partition: 0, records: [record] }])
    return told.at(-1)
  }
  const look = (end: number) => clock.looked(0, end, instantOf(now))
  return { ...clock, read, look, pass: (length: number) => (now += length) }
}

it('sees a log clock that is ahead, and that it agrees again', () => {
  const one = watched()
  expect(one.read(0, noon - 3 * second)).toBe(0)
  expect(one.check().state).toBe('ok')
  expect(one.read(1, noon + 5 * hour)).toBe(5 * hour)
  expect(one.check()).toEqual({
    state: 'degraded',
    reason: expect.stringContaining('18000 s ahead of'),
  })
  expect(one.read(2, noon)).toBe(0)
  expect(one.check().state).toBe('ok')
})

it('sees a log clock that is behind, and never takes a lag for one', () => {
  const one = watched()
  one.look(5)
  one.pass(2 * hour)
  // It waited for two hours.
  expect(one.read(4, noon - 3 * hour)).toBe(0)
  expect(one.read(5, noon + second)).toBe(0)
  one.look(6)
  expect(one.read(6, noon)).toBe(-2 * hour)
  expect(one.check().reason).toContain('7200 s behind')
  one.forget(0)
  expect(one.check().state).toBe('ok')
})

it('lets two machines differ by a minute', () => {
  const one = watched()
  expect(one.read(0, noon + minute)).toBe(minute)
  expect(one.check().state).toBe('ok')
})
