import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openSettling } from '../../src/engine/settling.ts'
import { after, instantOf, second } from '../../src/std/instant.ts'
import { clockOf } from '../support/runtime/clock.ts'
import { quiet } from '../support/runtime/logger.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Settling that never has anything to settle, unless `waiting` says how many accounts are due. */
function idle({ waiting = (): number => 0, lookMs = 0, each = [] as readonly object[] } = {}) {
  const due = vi.fn(async () => {
    if (lookMs > 0) await vi.advanceTimersByTimeAsync(lookMs)
    return Array.from({ length: waiting() }, () => ({}))
  })
  // Nothing of an account has changed, so nothing is saved; only how many are taken is looked at.
  const load = vi.fn(async (_keys: readonly object[]) => [])
  const dueOfEach = vi.fn(async () => each)
  const settling = openSettling({
    accounts: { due, dueOfEach, load } as never,
    changes: { commitEach: async () => new Set<string>() },
    share: () => null,
    newId: () => 'none',
    clock: clockOf(() => after(instantOf(0), second)),
    logger: quiet,
    metrics: { entries: never, settled: () => undefined, retried: never },
    onSettled: () => undefined,
  })
  const taken = () => load.mock.calls.map(([keys]) => keys.length)
  return { settling, due, dueOfEach, load, taken }
}

const never = (): never => {
  throw new Error('There is nothing to settle.')
}

it('looks often while accounts may become due again, and seldom when all is quiet', async () => {
  const { settling, due } = idle()
  const looks = async (ms: number) => {
    due.mockClear()
    await vi.advanceTimersByTimeAsync(ms)
    return due.mock.calls.length
  }
  settling.start()
  await looks(10_000)
  expect(await looks(10_000)).toBe(20)
  // What was measured is settled at once, and again as soon as a second has passed.
  settling.nudge()
  expect(await looks(1)).toBe(1)
  expect(await looks(2_000)).toBeGreaterThanOrEqual(19)
  await looks(1_000)
  expect(await looks(10_000)).toBe(20)
  const stopped = settling.stop()
  await vi.runAllTimersAsync()
  await stopped
})

it('takes a few accounts at a time, with rests, and more where there is more to do than gets done', async () => {
  let left = 60
  const { settling, taken } = idle({ waiting: () => left })
  settling.start()
  await vi.advanceTimersByTimeAsync(0)
  expect(taken()).toEqual([25])
  left = 10
  await vi.advanceTimersByTimeAsync(10)
  expect(taken()).toEqual([25, 10])
  left = 200
  settling.nudge()
  await vi.advanceTimersByTimeAsync(10)
  expect(taken().slice(0, 6)).toEqual([25, 10, 50, 50, 50, 50])
  left = 0
  const stopped = settling.stop()
  await vi.runAllTimersAsync()
  await stopped
})

it('takes some of each business first where there is more to do than gets done', async () => {
  let left = 199
  const another = { businessId: 'another', mode: 'test', customerId: 'c', entitlementId: 'e' }
  const { settling, load, dueOfEach } = idle({ waiting: () => left, each: [another] })
  settling.start()
  await vi.advanceTimersByTimeAsync(0)
  expect(dueOfEach).not.toHaveBeenCalled()
  left = 200
  load.mockClear()
  await vi.advanceTimersByTimeAsync(110)
  // By the usual interval, however long the one of those that are behind has become.
  expect(dueOfEach).toHaveBeenLastCalledWith(100, 1_000, expect.objectContaining({ share: null }))
  const [[keys = []] = []] = load.mock.calls.filter(([some]) => some.length === 50)
  expect(keys[0]).toEqual(another)
  left = 0
  const stopped = settling.stop()
  await vi.runAllTimersAsync()
  await stopped
})

it('looks for a twentieth of the time, however often it is nudged', async () => {
  const { settling, due } = idle({ lookMs: 5 })
  settling.start()
  for (let ms = 0; ms < 1_000; ms += 1) {
    settling.nudge()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(due.mock.calls.length).toBeLessThanOrEqual(11)
  expect(due.mock.calls.length).toBeGreaterThanOrEqual(8)
  const stopped = settling.stop()
  await vi.runAllTimersAsync()
  await stopped
})
