import { expect, it } from 'vitest'
import { Due } from '../../../src/operations/accounts/change-accounts.ts'
import { dueFirst } from '../../../src/operations/boundaries/due-first.ts'
import type { DueBoundary } from '../../../src/parts/store/boundaries.ts'
import { instantOf } from '../../../src/std/instant.ts'
import { memoryShelf } from '../../support/billing/memory-shelf.ts'
import { needsOf } from '../../support/billing/needs.ts'

const now = instantOf(1_800_000_000_000_000)

/** A desk where nothing is due by its own clock. */
function deskOf(patienceMs: number, boundary: DueBoundary | null = null) {
  const shelf = memoryShelf()
  const boundaries = { due: async () => (boundary === null ? [] : [boundary]) }
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

it('waits, and applies nothing, while a void from before what is due is to be folded', async () => {
  const { scope } = memoryShelf()
  const subscriptions = new Proxy(memoryShelf().subscriptions, {
    get: () => async () => {
      throw new Error('It is applied.')
    },
  })
  const boundary = { kind: 'cycle_end', at: now, scope, subscriptionId: 'sub_1' } as const
  const tried = (waits: boolean) => {
    const { desk, due } = deskOf(50, { ...boundary, waits })
    const measured = { ...desk, subscriptions, measuring: { watermark: async () => now } }
    return dueFirst(measured, 'change_plan', async () => due).catch((error: unknown) => error)
  }
  expect(await tried(true)).toMatchObject({ code: 'UNAVAILABLE' })
  expect(await tried(false)).toMatchObject({ message: 'It is applied.' })
})
