import { expect, it } from 'vitest'
import { openBoundarySweep } from '../../src/engine/sweeps/boundaries.ts'
import type { Entry } from '../../src/rules/accounts/entry.ts'
import { beginning } from '../model/billing/model.ts'
import type { Call, Program } from '../model/billing/program.ts'
import { nothingOverridden } from '../model/billing/program.ts'
import { lineOf } from '../model/credit-programs.ts'
import { microseconds, plainProgram } from '../support/billing/catalog.ts'
import { openBillingDesk } from '../support/billing/desk.ts'
import { memoryShelf } from '../support/billing/memory-shelf.ts'
import { needsOf } from '../support/billing/needs.ts'
import { clockOf } from '../support/runtime/clock.ts'
import { rememberingLogger } from '../support/runtime/logger.ts'

const credits = {
  trialAmount: null,
  trialExpires: false,
  prorates: false,
  overrides: nothingOverridden,
}
const rates = { a: { perTenCredits: 10, free: 0 }, b: null }
const daily: Program = {
  ...plainProgram,
  plans: [
    {
      cycle: { count: 1, interval: 'Day' },
      periodDays: 3_650,
      rates,
      credits: { ...credits, amount: 100 },
    },
  ],
}

/** A business for which no sweep ran for days. */
async function absence(program: Program) {
  const shelf = memoryShelf()
  const desk = await openBillingDesk(shelf, program)
  const at = (days: number): number => beginning + days * 86_400
  const call = (days: number, next: Call, which: number | null = null) =>
    desk.call(next, which, at(days))
  return { desk, at, call, swept }

  /** What the sweep writes by `days`, in its order. */
  async function swept(days: number): Promise<readonly Entry[]> {
    const now = microseconds(at(days))
    const entries: Entry[] = []
    const sweep = openBoundarySweep({
      ...needsOf(shelf, {
        now: () => now,
        keep: (changes) => void entries.push(...changes.flatMap((change) => change.entries)),
      }),
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
    return entries
  }
}

it('applies in its order what fell due in days of absence: cycle ends before later expiries', async () => {
  const { desk, at, call, swept } = await absence(daily)
  await call(0, { kind: 'subscribe', plan: 0, trialDays: 0 })
  await call(0.5, { kind: 'credit', amount: 70, days: 2 })
  // Used in the third cycle, before the credits expire in it.
  const used = { id: 1, meter: 'a' as const, quantity: 3, timestamp: at(2.25), received: at(2.25) }
  await desk.measure([used])
  const entries = await swept(3.1)
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
    ...needsOf(shelf, { now: () => bent, keep: (changes) => void applied.push(...changes) }),
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

it('applies what the end of a subscription brings before what was due all along', async () => {
  const [plan] = daily.plans
  if (plan === undefined) throw new Error('no plan')
  const short = { ...plan, cycle: { count: 2, interval: 'Day' as const }, periodDays: 3 }
  const { at, call, swept } = await absence({ ...daily, plans: [plan, short] })
  await call(0, { kind: 'subscribe', plan: 1, trialDays: 0 })
  await call(0.5, { kind: 'subscribe', plan: 0, trialDays: 0 })
  // Its cycles end after 1.5 and 3.5 days, its period after 3.
  await call(0.6, { kind: 'redate', which: 0, days: 0 }, 0)
  await call(0.6, { kind: 'cancel', which: 1 }, 1)
  await call(0.7, { kind: 'credit', amount: 70, days: 3 })
  const moments = (await swept(4.1)).map((entry) => (entry.at / 1_000_000 - at(0)) / 86_400)
  expect(moments).toEqual([1.5, 1.5, 1.5, 3.5, 3.7])
})
