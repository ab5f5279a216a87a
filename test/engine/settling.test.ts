import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openSettling } from '../../src/engine/settling.ts'
import { after, instantOf, second } from '../../src/std/instant.ts'
import { clockOf } from '../support/runtime/clock.ts'
import { quiet } from '../support/runtime/logger.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Settling that never has anything to settle. */
function idle() {
  const due = vi.fn(async () => [])
  const settling = openSettling({
    accounts: { due } as never,
    changes: {} as never,
    share: () => null,
    newId: () => 'none',
    clock: clockOf(() => after(instantOf(0), second)),
    logger: quiet,
    metrics: { entries: never, settled: never, retried: never },
    onSettled: never,
  })
  return { settling, due }
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
