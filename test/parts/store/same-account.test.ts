import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { changeWith, granting, newAccount } from '../../support/store/decided.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { scratchStore } from '../../support/store/scratch-store.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

/** Rows that are there by their key, and not yet by their id: as two inserts at once may meet. */
describe('an account that another transaction makes at the same moment', () => {
  it('has moved, by whichever of its keys the two meet [machines#writers]', async () => {
    const scope = await store.business()
    const [one, two] = [await newAccount(store, scope), await newAccount(store, scope)]
    const first = await granting(store, one)
    expect(await store.changes.commit(changeWith(scope, { accounts: [first] }))).toBe('committed')
    const second = await granting(store, two)
    await store.db.query(sql`
      update accounts set entitlement_id = ${two.entitlementId}, customer_id = ${two.customerId}
      where business_id = ${scope.businessId}`)
    expect(await store.changes.commit(changeWith(scope, { accounts: [second] }))).toBe('moved')
    expect(await store.changes.commitEach([second])).toEqual(new Set())
  })
})
