import { expect, it } from 'vitest'
import { openBoundarySweep } from '../../src/engine/sweeps/boundaries.ts'
import type { Entry } from '../../src/rules/credits/entry.ts'
import { beginning } from '../model/billing/model.ts'
import type { Program } from '../model/billing/program.ts'
import { lineOf } from '../model/credit-programs.ts'
import { microseconds, openBillingDesk } from '../support/billing-desk.ts'
import { needsOf } from '../support/billing-needs.ts'
import { clockOf } from '../support/clock.ts'
import { rememberingLogger } from '../support/logger.ts'
import { memoryShelf } from '../support/memory-shelf.ts'

const none = {
  ...{ expiresAfterDays: null, rollover: null, percentage: null, timeframeDays: null },
  ...{ countMax: null, overage: null, limit: null, behavior: null },
}
const credits = { trialAmount: null, trialExpires: false, prorates: false, overrides: none }
const rates = { a: { perTenCredits: 10, free: 0 }, b: null }
const daily: Program = {
  entitlement: {
    ...{ expiresAfterDays: null, rollover: false, percentage: null, timeframeDays: null },
    ...{ countMax: null, overage: false, limit: null, behavior: 'forgive_at_reset' },
  },
  ...{ defaults: { a: null, b: null }, aggregations: { a: 'sum', b: 'sum' }, steps: [] },
  plans: [
    {
      ...{ cycle: { count: 1, interval: 'Day' }, periodDays: 3_650, rates },
      credits: { ...credits, amount: 100 },
    },
  ],
}

it('applies in its order what fell due in days of absence: cycle ends before later expiries', async () => {
  const shelf = memoryShelf()
  const desk = await openBillingDesk(shelf, daily)
  const at = (days: number): number => beginning + days * 86_400
  await desk.call({ kind: 'subscribe', plan: 0, trialDays: 0 }, null, at(0))
  await desk.call({ kind: 'credit', amount: 70, days: 2 }, null, at(0.5))
  // Used in the third cycle, before the credits expire in it.
  const used = { id: 1, meter: 'a' as const, quantity: 3, timestamp: at(2.25), received: at(2.25) }
  await desk.measure([used])
  const now = microseconds(at(3.1))
  const entries: Entry[] = []
  const sweep = openBoundarySweep({
    ...needsOf(
      shelf,
      () => now,
      (changes) => void entries.push(...changes.flatMap((change) => change.entries)),
    ),
    boundaries: shelf.boundaries,
    clock: clockOf(() => now),
    measuring: { watermark: async () => now, checkpoints: async () => [] },
    alone: (_, work) => work,
    logger: rememberingLogger(),
    onApplied: () => undefined,
  })
  sweep.start()
  while ((await shelf.boundaries.due(now, null, 1)).length > 0) {
    await new Promise((next) => setImmediate(next))
  }
  await sweep.stop()
  expect(entries.map(lineOf).map((line) => line.replace(/^\d+ | \S+ \S+$/g, ''))).toEqual([
    'credit_expired -100',
    'credit_added +100',
    'credit_expired -100',
    'credit_added +100',
    'credit_deducted -30',
    'credit_expired -40',
    'credit_expired -100',
    'credit_added +100',
  ])
})

it('applies nothing that only log time, or a clock that is not believed, has reached', async () => {
  const shelf = memoryShelf()
  const desk = await openBillingDesk(shelf, daily)
  const at = (days: number): number => beginning + days * 86_400
  await desk.call({ kind: 'subscribe', plan: 0, trialDays: 0 }, null, at(0))
  const [now, bent] = [microseconds(at(0.5)), microseconds(at(120))]
  const applied: unknown[] = []
  let looks = 0
  const sweep = openBoundarySweep({
    ...needsOf(
      shelf,
      () => bent,
      (changes) => void applied.push(...changes),
    ),
    boundaries: shelf.boundaries,
    clock: { now: () => bent, believed: () => now },
    measuring: {
      watermark: async () => {
        looks += 1
        return bent
      },
      checkpoints: async () => [],
    },
    alone: (_, work) => work,
    logger: rememberingLogger(),
    onApplied: () => undefined,
  })
  sweep.start()
  await expect.poll(() => looks, { timeout: 30_000 }).toBeGreaterThan(1)
  await sweep.stop()
  expect(applied).toEqual([])
  expect(await shelf.boundaries.due(bent, null, 10)).not.toEqual([])
})
