import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'
import { leftBehind } from '../process/left-behind.ts'

const patienceMs = 60_000

// Runs in front of each file that starts servers as a user does. A hook that is made first runs
// last: so by then the file's own hooks have ended what they know of. What still runs a moment
// later was forgotten, by this file or by one before it in its process, and fails this file.
afterAll(async () => {
  if (expect.getState().testPath?.includes('/test/e2e/') !== true) return
  const until = performance.now() + patienceMs
  while (leftBehind().length > 0 && performance.now() < until) await sleep(50)
  expect(leftBehind()).toEqual([])
}, patienceMs * 2)
