import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { Fault } from '../../src/faults.ts'
import { keepTime } from '../../src/runtime/keeping-time.ts'
import type { Remembered } from '../../src/std/belief.ts'
import type { Instant } from '../../src/std/instant.ts'
import { after, day, hour, parseInstant, second } from '../../src/std/instant.ts'
import { rememberingLogger } from '../support/runtime/logger.ts'

vi.useFakeTimers({
  toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'hrtime', 'performance'],
})
afterEach(() => vi.clearAllTimers())
afterAll(() => vi.useRealTimers())

const began = parseInstant('2026-03-01T00:00:00Z') as Instant

/** A machine and a store whose clocks can be bent. */
async function kept(memory: Remembered | null = null) {
  const start = performance.now()
  const passed = () => (performance.now() - start) * 1_000
  const clocks = { wall: 0, store: 0, away: false, broken: false }
  const told: { at: Instant; monotonic: number }[] = []
  const ahead = new Map<string, number>()
  const logger = rememberingLogger()
  const storeNow = () => after(began, passed() + clocks.store)
  const time = await keepTime({
    machine: { wall: () => after(began, passed() + clocks.wall), monotonic: () => hour + passed() },
    store: {
      recall: async () => ({ now: storeNow(), memory }),
      remember: async (one) => {
        if (clocks.away) throw new Fault('UNAVAILABLE', 'It is away.')
        if (clocks.broken) throw new Error('It takes no fractions.')
        if (one !== null) told.push(one)
        return storeNow()
      },
    },
    logger,
    differs: (clock, by) => ahead.set(clock, Math.round(by / second)),
  })
  const error = () => {
    const at = after(began, passed())
    return [time.clock.now() - at, time.clock.believed() - at].map((by) => Math.round(by / second))
  }
  return {
    ...time,
    clocks,
    told,
    logged: logger.told,
    ahead,
    error,
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

it('does not follow a step, says so, and believes it after ten minutes', async () => {
  const time = await kept()
  expect(time.check().state).toBe('ok')
  time.clocks.wall = 120 * day
  await time.pass(6_000)
  expect(time.error()).toEqual([0, 0])
  expect(time.check()).toMatchObject({
    state: 'degraded',
    reason: expect.stringContaining('10368000 s'),
  })
  expect(time.ahead.get('system')).toBe(120 * 86_400)
  // The store's clock does not agree, and one clock alone is not believed.
  await time.pass(20 * 60_000)
  expect(time.error()).toEqual([0, 0])
  time.clocks.store = 120 * day
  await time.pass(20_000)
  expect(time.error()).toEqual([120 * 86_400, 120 * 86_400])
  expect(time.check().state).toBe('ok')
})

it('says that the store has another time, and goes on', async () => {
  const time = await kept()
  time.clocks.store = -hour
  await time.pass(15_000)
  expect(time.check().reason).toMatch(/database's clock differs.*-3600 s/)
  expect([time.error(), time.ahead.get('store')]).toEqual([[0, 0], -3_600])
  time.clocks.away = true
  await time.pass(60_000)
  expect([time.error(), time.check().state]).toEqual([[0, 0], 'ok'])
})

it('says each change once, and nothing while all is well', async () => {
  const time = await kept()
  await time.pass(10_000)
  expect(time.logged).toEqual([])
  time.clocks.wall = hour
  await time.pass(10_000)
  time.clocks.wall = 0
  await time.pass(10_000)
  expect(time.logged.map(({ level }) => level)).toEqual(['error', 'info'])
})

it('says when it cannot remember for another reason than that the store is away', async () => {
  const time = await kept()
  time.clocks.away = true
  await time.pass(15_000)
  expect(time.logged).toEqual([])
  Object.assign(time.clocks, { away: false, broken: true })
  await time.pass(10_000)
  expect(time.logged).toMatchObject([
    { level: 'error', message: expect.stringContaining('cannot be remembered') },
  ])
})

it('remembers what it believes, and not what it only supposes', async () => {
  const time = await kept()
  time.clocks.wall = day
  await time.pass(10_000)
  expect(time.told.at(-1)?.at).toBe(after(began, 10 * second))
  const memory = { at: after(began, -day), toldAt: after(began, -day), monotonic: null }
  const later = await kept(memory)
  await later.pass(5 * 60_000)
  expect(later.error()).toEqual([0, -86_400])
  expect([later.told, later.check().state]).toEqual([[], 'degraded'])
  await later.pass(6 * 60_000)
  expect(later.error()).toEqual([0, 0])
  expect(later.told.length).toBeGreaterThan(0)
})
