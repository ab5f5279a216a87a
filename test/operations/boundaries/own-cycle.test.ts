import { afterAll, beforeAll, expect, it } from 'vitest'
import { settleForReading } from '../../../src/operations/accounts/settle-accounts.ts'
import { applyBoundary } from '../../../src/operations/boundaries/apply-boundary.ts'
import { boundaries } from '../../../src/parts/store/postgres/accounts/boundaries.ts'
import { after, minute } from '../../../src/std/instant.ts'
import { holdPartition } from '../../support/store/hold-partition.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import {
  atMoment,
  february,
  instantAt,
  january,
  measuredOf,
  scratchStore,
  sliceOf,
} from '../../support/store/scratch-store.ts'
import { incrementOf } from '../../support/store/usage.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
  await holdPartition(store, 0)
})
afterAll(() => store.drop())

it('begins with its first usage, however late that was settled [meters#who-takes-the-usage, guarantees#determinism]', async () => {
  const scope = await store.business()
  const customerId = await store.customer(scope)
  const entitlementId = await store.entitlement(scope, { overage: { limit: null } })
  const key = { ...scope, customerId, entitlementId }
  const ofJanuary = incrementOf(key, { cycleAt: january, segmentAt: january, value: '5' })
  const ofFebruary = incrementOf(key, { cycleAt: february, segmentAt: february, value: '3' })
  const late = after(february, minute)
  await store.measuring.commit(
    measuredOf({ slices: [sliceOf({})], usage: [ofJanuary, ofFebruary], accounts: [key] }),
  )
  const overage = async (): Promise<readonly bigint[]> => {
    await settleForReading(atMoment(late, store), key)
    const [view] = await store.accounts.load([key])
    const account = view?.stored?.account
    return [account?.state.overage ?? -1n, BigInt(account?.entries ?? 0)]
  }
  // February's usage is not settled before January has ended, which forgives overage.
  expect(await overage()).toEqual([5n, 1n])
  const [end, ...others] = await boundaries(store.db).due(late, scope, 10)
  expect(end).toMatchObject({ kind: 'own_cycle_end', at: instantAt('2026-02-01T00:00:00Z') })
  expect(others).toEqual([])
  if (end === undefined) return
  await applyBoundary(atMoment(late, store), end)
  expect(await overage()).toEqual([3n, 3n])
  // Another process that still holds the first end of a month does not end the next one by it.
  await applyBoundary(atMoment(late, store), end)
  expect(await overage()).toEqual([3n, 3n])
})
