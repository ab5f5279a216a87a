import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'
import { leftBehind } from '../process/left-behind.ts'

const patienceMs = 60_000

// In front of each file that starts servers as a user does. Hooks that were made first run last:
// what those of the file have ended may take its moment, and what they have forgotten fails the
// file.
afterAll(async () => {
  if (expect.getState().testPath?.includes('/test/e2e/') !== true) return
  const until = performance.now() + patienceMs
  while (leftBehind().length > 0 && performance.now() < until) await sleep(50)
  expect(leftBehind()).toEqual([])
}, patienceMs * 2)
