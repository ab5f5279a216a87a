import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Pace } from '../support/billing-run.ts'
import { openBillingRun } from '../support/billing-run.ts'
import { memoryShelf } from '../support/memory-shelf.ts'
import { billingPrograms } from './billing/arbitraries.ts'

const paces: readonly Pace[] = ['as told', 'always', 'at commands']
/** The long form: PROGRAMS=10000, and SEED to begin where a failure was. */
const numRuns = Number(process.env['PROGRAMS'] ?? 120)
const seed = process.env['SEED'] === undefined ? {} : { seed: Number(process.env['SEED']) }

describe('programs of a year, against a model that knows only the contract', () => {
  test('end where the model says after every step, however often they are settled', async () => {
    await fc.assert(
      fc.asyncProperty(billingPrograms(), async (program) => {
        for (const pace of paces) {
          const run = await openBillingRun(memoryShelf(), program, pace)
          await run.play()
        }
      }),
      { numRuns, ...seed },
    )
    expect(numRuns).toBeGreaterThan(0)
  }, 86_400_000)
})
