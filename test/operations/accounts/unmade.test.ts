import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountIdOf } from '../../../src/operations/accounts/account-id.ts'
import { settleAccount } from '../../../src/operations/accounts/settle-accounts.ts'
import { readAccount } from '../../../src/rules/accounts/read-account.ts'
import type { AccountView } from '../../../src/rules/accounts/view.ts'
import { day, after as later } from '../../../src/std/instant.ts'
import { holdPartition } from '../../support/store/hold-partition.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import {
  atMoment,
  february,
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

it('is read as it will be made, also while the end of a cycle in an earlier month waits [guarantees#determinism]', async () => {
  const scope = await store.business()
  const entitlementId = await store.entitlement(scope, { overage: { limit: null } })
  const key = { ...scope, customerId: await store.customer(scope), entitlementId }
  const usage = [incrementOf(key, { cycleAt: february, segmentAt: february })]
  await store.measuring.commit(measuredOf({ slices: [sliceOf({})], usage, accounts: [key] }))
  const now = later(february, day)
  const withOther = (views: readonly AccountView[]): readonly AccountView[] =>
    views.map((view) => ({
      ...view,
      subscriptions: [
        {
          subscriptionId: 'sub_1',
          brandId: scope.businessId,
          status: 'active',
          activatedAt: january,
          ended: null,
          expiresAt: null,
          stretches: [],
          cart: [],
          nextBillingDate: later(january, 20 * day),
          metadata: {},
        },
      ],
    }))
  const load: ScratchStore['accounts']['load'] = async (keys) =>
    withOther(await store.accounts.load(keys))
  const read = async () => {
    const [view] = await load([key])
    return view === undefined
      ? undefined
      : (readAccount(view, now, accountIdOf)?.account.state ?? null)
  }
  const before = await read()
  await settleAccount({ ...atMoment(now, store), accounts: { ...store.accounts, load } }, key)
  expect((await store.accounts.load([key]))[0]?.stored?.ownCycleAt).toBe(january)
  expect(await read()).toEqual(before)
})
