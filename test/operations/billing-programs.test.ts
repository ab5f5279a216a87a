import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyBooks } from '../../src/operations/verify/verify-books.ts'
import { audit } from '../../src/parts/store/postgres/audit/audit.ts'
import { day } from '../../src/std/instant.ts'
import { billingPrograms } from '../model/billing/arbitraries.ts'
import { found } from '../model/billing/found.ts'
import type { Program } from '../model/billing/program.ts'
import type { Pace } from '../support/billing/run.ts'
import { openBillingRun } from '../support/billing/run.ts'
import { storeShelf } from '../support/billing/store-shelf.ts'
import { holdPartition } from '../support/store/hold-partition.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { scratchStore } from '../support/store/scratch-store.ts'

const numRuns = Number(process.env['PROGRAMS'] ?? 12)
const seed = process.env['SEED'] === undefined ? {} : { seed: Number(process.env['SEED']) }

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
  await holdPartition(store, 0)
})
afterAll(() => store.drop())

test('programs of a year end where the model says, in a real database [guarantees#books-that-add-up, guarantees#determinism]', async () => {
  const counters = { offset: 0, ids: 0 }
  const examples = found.map(([program]): [Program, Pace] => [withoutVoids(program), 'as told'])
  const pace = fc.constantFrom<Pace>('as told', 'always', 'at commands')
  await fc.assert(
    fc.asyncProperty(billingPrograms().map(withoutVoids), pace, async (program, paced) => {
      const shelf = await storeShelf(store, counters)
      const run = await openBillingRun(shelf, program, paced)
      await run.play()
      await run.desk.settle()
      expect(await sentencesOf(shelf.scope.businessId)).toEqual([])
    }),
    { numRuns, examples, ...seed },
  )
}, 86_400_000)

const withoutVoids = (program: Program): Program => ({
  ...program,
  steps: program.steps.filter(({ kind }) => kind !== 'void'),
})

async function sentencesOf(businessId: string): Promise<readonly string[]> {
  const found: string[] = []
  const verification = verifyBooks(
    { audit: audit(store.db), log: null, window: day },
    { businessId },
  )
  for await (const { sentence } of verification) found.push(sentence)
  return found
}
