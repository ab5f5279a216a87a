import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountIdOf } from '../../src/operations/accounts/account-id.ts'
import type { AccountChange } from '../../src/rules/accounts/change.ts'
import { changeOf } from '../../src/rules/accounts/change.ts'
import type { AccountKey, AccountView } from '../../src/rules/accounts/view.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { instantAt, measuredOf, sliceOf } from '../support/store/scratch-store.ts'
import { incrementOf } from '../support/store/usage.ts'
import type { StoreDriver } from './accounts.ts'

/**
 * A standby that was promoted without the last commits gives their versions and numbers again. What
 * was decided on what is lost must not pass for one of these. [machines#writers]
 */
export function testLostCommits(driver: StoreDriver): void {
  describe(`a store that lost its last commits: ${driver.name}`, () => {
    let store: ScratchStore

    beforeAll(async () => {
      store = await driver.open()
      await store.measuring.take(0, 'log', 'ns')
    })
    afterAll(() => store.drop())

    /** Two accounts of a customer each, with usage that is not settled. */
    async function accounts(): Promise<readonly [AccountKey, AccountKey]> {
      const scope = await store.business()
      const entitlementId = await store.entitlement(scope)
      const key = { ...scope, entitlementId, customerId: await store.customer(scope) }
      const other = { ...key, customerId: await store.customer(scope) }
      const { nextOffset } = (await store.measuring.checkpoints())[0] ?? { nextOffset: 0 }
      const usage = [key, other].map((each) => incrementOf(each, { value: '1' }))
      const slices = [sliceOf({ start: nextOffset })]
      const answer = await store.measuring.commit(
        measuredOf({ slices, usage, accounts: [key, other] }),
      )
      expect(answer).toEqual({ kind: 'committed' })
      return [key, other]
    }

    async function view(key: AccountKey): Promise<AccountView> {
      const [found] = await store.accounts.load([key])
      if (found === undefined) throw new Error('No view.')
      return found
    }

    const settled = (of: AccountView): AccountChange =>
      changeOf({ ...store, accountIdOf }, of, {
        at: instantAt('2026-01-15T12:00:00.123456Z'),
        decide: () => null,
        idempotencyKey: null,
      })

    test('refuses what was decided on a version that it has given again', async () => {
      const [key] = await accounts()
      await store.changes.commitEach([settled(await view(key))])
      const { stored } = await view(key)
      const change = settled(await view(key))
      const before = await store.contents()
      const lost = { ...change, expectedStamp: (stored?.stamp ?? 0) + 1 }
      expect((await store.changes.commitEach([lost])).size).toBe(0)
      expect(await store.contents()).toBe(before)
      expect((await store.changes.commitEach([change])).size).toBe(1)
      expect((await view(key)).stored?.stamp).not.toBe(stored?.stamp)
    })

    test('keeps what is unsettled of others, under whatever number', async () => {
      const [key, other] = await accounts()
      const { unsettled } = await view(other)
      const change = settled(await view(key))
      await store.changes.commitEach([
        { ...change, unsettled: [...change.unsettled, ...unsettled] },
      ])
      expect((await view(key)).unsettled).toHaveLength(0)
      expect((await view(other)).unsettled).toEqual(unsettled)
    })
  })
}
