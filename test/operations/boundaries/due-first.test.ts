import { expect, it } from 'vitest'
import { Due } from '../../../src/operations/accounts/change-accounts.ts'
import { dueFirst } from '../../../src/operations/boundaries/due-first.ts'
import { instantOf } from '../../../src/std/instant.ts'
import { memoryShelf } from '../../support/billing/memory-shelf.ts'
import { needsOf } from '../../support/billing/needs.ts'

const now = instantOf(1_800_000_000_000_000)

/** A desk where nothing is due by its own clock. */
function deskOf(patienceMs: number) {
  const shelf = memoryShelf()
  const boundaries = { due: async () => [] }
  const needs = needsOf({ ...shelf, boundaries }, { now: () => now, keep: () => undefined })
  return { desk: { ...needs, patienceMs }, due: new Due({ ...shelf.scope, customerId: 'cus_1' }) }
}

it('is tried again at once where somebody else has applied what was due', async () => {
  const { desk, due } = deskOf(0)
  let tries = 0
  expect(await dueFirst(desk, 'change_plan', async () => (++tries < 2 ? due : 'done'))).toBe('done')
})

it('waits where something is due by a clock that is ahead, and is refused in the end', async () => {
  const { desk, due } = deskOf(50)
  let tries = 0
  const refused = dueFirst(desk, 'change_plan', async () => {
    tries += 1
    return due
  })
  await expect(refused).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  // The first two tries come at once, the others after a pause: it must not ask the store in a
  // circle.
  expect(tries).toBeLessThanOrEqual(5)
})
