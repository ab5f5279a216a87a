import { expect, it } from 'vitest'
import { agreement, doubt } from '../../../src/engine/measuring/agreement.ts'
import type { Checkpoint } from '../../../src/parts/store/measuring.ts'
import { instantOf, second } from '../../../src/std/instant.ts'
import { quiet } from '../../support/runtime/logger.ts'

const checkpoint: Checkpoint = {
  partition: 0,
  nextOffset: 5,
  epoch: 1,
  logIdentity: 'the log',
  logAt: instantOf(0),
  ran: 0,
  digest: new Uint8Array(16),
  namespace: 'a',
  halted: null,
  leftOut: false,
  totals: { events: 5, billed: 5, unmatched: 0, duplicates: 0, quarantined: 0 },
}

/** A log that has lost everything, or does not show it yet. */
function lacking() {
  let now = 0
  const { judged } = agreement({
    reader: {
      partitions: 1,
      identity: 'the log',
      lagMax: 2 * second,
      bounds: async () => ({ first: 0, end: 0 }),
      ends: async () => [],
      read: async () => [],
      trim: async () => undefined,
      close: async () => undefined,
    },
    monotonic: () => now,
    logger: quiet,
  })
  return { judged, pass: (seconds: number) => (now += seconds * second) }
}

it('waits for a log that may only lag, and then judges', async () => {
  const { judged, pass } = lacking()
  expect(await judged(checkpoint)).toBe(doubt)
  pass(1)
  expect(await judged(checkpoint)).toBe(doubt)
  pass(1)
  expect(await judged(checkpoint)).toMatch(/the log ends at 0/)
})

it('does not wait again for one that was halted: its taker has others to take', async () => {
  const { judged } = lacking()
  expect(await judged({ ...checkpoint, halted: 'the log ends at 0' })).toMatch(/ends at 0/)
})
