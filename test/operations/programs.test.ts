import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectedOf, programs } from '../model/credit-programs.ts'
import { replay } from '../model/credits.ts'
import { runs } from '../support/run/runs.ts'
import { holdPartition } from '../support/store/hold-partition.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { scratchStore } from '../support/store/scratch-store.ts'
import type { ProgramLog } from './program-run.ts'
import { beginRun, sellable } from './program-run.ts'

/** Between any two steps everything is saved to a real store and loaded again. */
describe('programs run through operations and a database', () => {
  let store: ScratchStore
  const log: ProgramLog = { next: 0 }

  beforeAll(async () => {
    store = await scratchStore()
    await holdPartition(store, 0)
  })
  afterAll(() => store.drop())

  test('end where the model says, and verify finds nothing', async () => {
    await fc.assert(
      fc.asyncProperty(programs().map(sellable), async (program) => {
        const run = await beginRun(store, log)
        for (const step of program) await run.step(step)
        expect(await run.outcome()).toEqual(expectedOf(replay(program, true)))
        await run.step({ kind: 'settle' })
        expect(await run.outcome()).toEqual(expectedOf(replay(program, true)))
        expect(await run.sentences()).toEqual([])
      }),
      runs(40),
    )
  })
})
