import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryShelf } from '../support/billing/memory-shelf.ts'
import type { Pace } from '../support/billing/run.ts'
import { openBillingRun } from '../support/billing/run.ts'
import { timesOf } from '../support/run/long.ts'
import { billingPrograms } from './billing/arbitraries.ts'
import { found } from './billing/found.ts'

const paces: readonly Pace[] = ['as told', 'always', 'at commands']
/** PROGRAMS=10000 plays so many programs; SEED begins with the one that has failed. */
const { PROGRAMS, SEED } = process.env
const numRuns = timesOf('PROGRAMS', { short: 30, long: 120 })
const seed = SEED === undefined ? {} : { seed: Number(SEED) }

/**
 * What must happen in some program: where one of these never does, the programs test nothing of it.
 */
const kinds = [
  ...[
    'cycle_end',
    'subscription_end',
    'own_cycle_end',
    'expiry',
    'debit refused',
    'replan done',
    'pause done',
  ],
  ...['resume done', 'redate done', 'recart done', 'cancel done', 'unschedule done'],
  ...['credit_added', 'credit_deducted', 'credit_expired', 'credit_rolled_over', 'refund'],
  ...['rollover_forfeited', 'overage_charged', 'overage_reset', 'auto_repayment'],
]

describe('programs of a year, against a model that knows only the contract [guarantees#books-that-add-up, guarantees#determinism]', () => {
  test('end where the model says after every step, however often they are settled', async () => {
    const happened = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(billingPrograms(), async (program) => {
        for (const pace of paces) {
          const run = await openBillingRun(memoryShelf(), program, pace)
          await run.play()
          for (const [kind, times] of run.happened())
            happened.set(kind, (happened.get(kind) ?? 0) + times)
        }
      }),
      { numRuns, examples: [...found], ...seed },
    )
    if (PROGRAMS !== undefined) console.log(`${numRuns} programs`, Object.fromEntries(happened))
    if (numRuns >= 1_000) expect(kinds.filter((kind) => !happened.has(kind))).toEqual([])
  }, 86_400_000)
})
