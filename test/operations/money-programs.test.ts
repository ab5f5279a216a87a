import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyBooks } from '../../src/operations/verify/verify-books.ts'
import { audit } from '../../src/parts/store/postgres/audit/audit.ts'
import { day } from '../../src/std/instant.ts'
import { moneyPrograms } from '../model/money/arbitraries.ts'
import { foundMoney } from '../model/money/found.ts'
import { printedMoney } from '../model/money/print.ts'
import type { Program } from '../model/money/program.ts'
import { openMoneyRun } from '../support/money/run.ts'
import { timesOf } from '../support/run/long.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { scratchStore } from '../support/store/scratch-store.ts'

/** PROGRAMS=10000 plays so many programs; SEED begins with the one that has failed. */
const { PROGRAMS, SEED } = process.env
// Those that were found count as well.
const numRuns = foundMoney.length + timesOf('PROGRAMS', { short: 3, long: 10 })
const seed = SEED === undefined ? {} : { seed: Number(SEED) }

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

test('programs of money end where the model says after every step, and books close [payments#one-way-to-be-paid, payouts#ledger]', async () => {
  const happened = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(moneyPrograms(), async (program) => {
      const run = await openMoneyRun(store, program)
      await run.play()
      expect(await sentencesOf(run.scope.businessId)).toEqual([])
      for (const [kind, times] of run.happened()) {
        happened.set(kind, (happened.get(kind) ?? 0) + times)
      }
    }),
    {
      numRuns,
      endOnFailure: process.env['FAST'] === '1',
      examples: foundMoney.map((program): [Program] => [program]),
      reporter,
      ...seed,
    },
  )
  if (PROGRAMS !== undefined) console.log(`${numRuns} programs`, Object.fromEntries(happened))
  if (numRuns >= 1_000) expect(kinds.filter((kind) => !happened.has(kind))).toEqual([])
}, 86_400_000)

/** What must happen in some program: where one of these never does, they test nothing of it. */
const kinds = [
  ...[
    'buy done',
    'buy died',
    'open done',
    'open died',
    'pay done',
    'method done',
    'confirm done',
    'charge done',
    'change done',
    'change died',
  ],
  ...[
    'payout done',
    'mark done',
    'refund done',
    'settle done',
    'dispute done',
    'move done',
    'activate done',
  ],
  ...[
    'pause done',
    'resume done',
    'cancel done',
    'atEnd done',
    'spend done',
    'fill done',
    'race done',
    'unschedule done',
  ],
  ...['credit.rolled_over', 'credit.rollover_forfeited'],
  ...['cycle_end', 'subscription_end', 'renewal_retry', 'processor_news', 'dispute_window'],
]

async function sentencesOf(businessId: string): Promise<readonly string[]> {
  const found: string[] = []
  const needs = { audit: audit(store.db), log: null, window: day }
  for await (const { sentence } of verifyBooks(needs, { businessId })) found.push(sentence)
  return found
}

function reporter(out: fc.RunDetails<[Program]>): void {
  if (!out.failed) return
  const [program] = out.counterexample ?? []
  const shown = program === undefined ? '' : printedMoney(program)
  throw new Error(`SEED=${out.seed}\n${shown}\n${JSON.stringify(program)}\n${out.errorInstance}`)
}
