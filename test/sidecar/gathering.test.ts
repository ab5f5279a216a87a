import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Gathering } from '../../src/sidecar/gathering.ts'
import { gathering } from '../../src/sidecar/gathering.ts'
import { sidecarLimits } from '../../src/sidecar/limits.ts'

const bounds = { ...sidecarLimits.group, enoughBytes: 1_000 }
const { quietMs, mostMs } = bounds

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** One whose last group was of two frames. */
function inCompany(): Gathering {
  const group = gathering(bounds)
  group.came(100)
  group.came(100)
  expect(group.wait()).toBe(null)
  group.synced(2)
  return group
}

/** For how long the group waits, while a frame of so many bytes comes every so often. */
async function waited(group: Gathering, bytes: number, everyMs: number): Promise<number> {
  const [begun, waiting] = [performance.now(), group.wait()]
  if (waiting === null) return 0
  let ended = false
  void waiting.then(() => {
    ended = true
  })
  for (let ms = 1; ; ms += 1) {
    await vi.advanceTimersByTimeAsync(1)
    if (ended) return performance.now() - begun
    if (ms % everyMs === 0) group.came(bytes)
    await vi.advanceTimersByTimeAsync(0)
    if (ended) return performance.now() - begun
  }
}

it('does not let a caller wait that sends alone', () => {
  const group = gathering(bounds)
  for (let index = 0; index < 5; index += 1) {
    group.came(100)
    expect(group.wait()).toBe(null)
    group.synced(1)
  }
})

it('waits in company until nothing has come for a while', async () => {
  const group = inCompany()
  group.came(100)
  expect(await waited(group, 100, 100)).toBe(quietMs)
  // Nobody came: the next one does not wait.
  group.synced(1)
  group.came(100)
  expect(group.wait()).toBe(null)
})

it('waits no longer than it may, however they come', async () => {
  const group = inCompany()
  group.came(1)
  expect(await waited(group, 1, quietMs - 1)).toBeLessThanOrEqual(mostMs + 1)
  group.synced(8)
  group.came(1)
  expect(await waited(group, 1, quietMs - 1)).toBeGreaterThan(quietMs)
})

it('does not wait for more than is enough', async () => {
  const group = inCompany()
  group.came(999)
  expect(await waited(group, 1, 1)).toBe(1)
  group.synced(2)
  group.came(1_000)
  expect(group.wait()).toBe(null)
})
