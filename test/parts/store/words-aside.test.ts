import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountIdOf } from '../../../src/operations/accounts/account-id.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { AccountKey } from '../../../src/rules/accounts/view.ts'
import { newAccount } from '../../support/store/decided.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { scratchStore } from '../../support/store/scratch-store.ts'

/** What waits to be settled is a word for each commit that touched an account. */
let store: ScratchStore
let key: AccountKey
beforeAll(async () => {
  store = await scratchStore()
  key = await newAccount(store, await store.business())
})
afterAll(() => store.drop())

async function say(words: number): Promise<void> {
  await store.db.query(sql`
    insert into unsettled (business_id, mode, customer_id, entitlement_id)
    select ${key.businessId}, ${key.mode}, ${key.customerId}, ${key.entitlementId}
    from generate_series(1, ${words}::integer)`)
}

async function said(): Promise<readonly number[]> {
  const rows = await store.db.query<{ id: number }>(sql`select id from unsettled order by id`)
  return rows.map(({ id }) => id)
}

const due = () => store.accounts.due(10, 0, null)

it('of an account that was set aside only the newest word stays, which is enough', async () => {
  await say(2_000)
  const newest = (await said()).at(-1)
  await store.accounts.setAside(key, accountIdOf(key), 'its terms are gone')
  expect(await due()).toEqual([])
  expect(await said()).toEqual([newest])
  // A few more are not worth a statement.
  await say(100)
  expect(await due()).toEqual([])
  expect(await said()).toHaveLength(101)
  await store.accounts.setAside(key, accountIdOf(key), null)
  expect(await due()).toEqual([key])
})

it('words of any other account stay until it is settled, however many they are', async () => {
  await say(2_000)
  const before = await said()
  expect(await due()).toEqual([key])
  expect(await said()).toEqual(before)
})
