import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountIdOf } from '../../../src/operations/accounts/account-id.ts'
import { adjustBalance } from '../../../src/operations/accounts/adjust-balance.ts'
import { settleAll } from '../../../src/operations/accounts/settle-accounts.ts'
import { readAccount } from '../../../src/rules/accounts/read-account.ts'
import type { AccountKey, AccountView } from '../../../src/rules/accounts/view.ts'
import { hour, after as later } from '../../../src/std/instant.ts'
import { holdPartition } from '../../support/store/hold-partition.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import {
  atMoment,
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

it('settles each account of an entitlement once, while usage streams in, and passes by who was set aside', async () => {
  const scope = await store.business()
  const entitlementId = await store.entitlement(scope)
  const keys: AccountKey[] = []
  for (let count = 0; count < 102; count += 1) {
    keys.push({ ...scope, customerId: await store.customer(scope), entitlementId })
  }
  const usage = keys.map((key) => incrementOf(key))
  await store.measuring.commit(measuredOf({ slices: [sliceOf({})], usage, accounts: keys }))
  const [broken] = keys
  if (broken === undefined) throw new Error('No keys.')
  await store.accounts.setAside(broken, accountIdOf(broken), 'a reason')

  const settled: string[] = []
  const commit: ScratchStore['changes']['commit'] = async (change) => {
    const outcome = await store.changes.commit(change)
    settled.push(...change.accounts.map(({ accountId }) => accountId))
    // Each account has new usage by the time that its settling is committed.
    const own = sliceOf({ start: settled.length })
    const accounts = change.accounts.map(({ key }) => key)
    const more = accounts.map((key) => incrementOf(key))
    await store.measuring.commit(measuredOf({ slices: [own], usage: more, accounts }))
    return outcome
  }
  const desk = { ...atMoment(later(january, hour), store), changes: { commit } }
  await settleAll(desk, { ...scope, entitlementId })
  const expected = keys.slice(1).map(accountIdOf)
  expect(settled.toSorted()).toEqual(expected.toSorted())
})

it('reads who was set aside as it stands, whatever settling it would throw', async () => {
  const scope = await store.business()
  const customerId = await store.customer(scope)
  const key = { ...scope, customerId, entitlementId: await store.entitlement(scope) }
  const at = later(january, hour)
  await adjustBalance(atMoment(at, store), {
    key,
    type: 'credit',
    amount: '10',
    reason: null,
    metadata: null,
    expiresAt: null,
    idempotencyKey: null,
  })
  await store.accounts.setAside(key, accountIdOf(key), 'a reason')
  const [view] = await store.accounts.load([key])
  if (view === undefined) throw new Error('No view.')
  const brokenWith = (setAside: string | null): AccountView => ({
    ...view,
    stored: view.stored && { ...view.stored, setAside },
    get usage(): never {
      throw new Error('nothing says at what terms')
    },
  })
  expect(readAccount(brokenWith('a reason'), at, accountIdOf)?.account).toEqual(
    view.stored?.account,
  )
  expect(() => readAccount(brokenWith(null), at, accountIdOf)).toThrow('terms')
})
