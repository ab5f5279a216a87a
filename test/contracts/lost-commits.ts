import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountIdOf } from '../../src/operations/accounts/account-id.ts'
import type { RowChange } from '../../src/parts/store/changes.ts'
import type { VersionedRoutes } from '../../src/parts/store/measuring.ts'
import { meters } from '../../src/parts/store/postgres/catalog/meters.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import type { AccountChange } from '../../src/rules/accounts/change.ts'
import { changeOf } from '../../src/rules/accounts/change.ts'
import type { AccountKey, AccountView } from '../../src/rules/accounts/view.ts'
import type { Subscription } from '../../src/rules/commerce/subscriptions/subscription.ts'
import { changeWith, decidedAt, subscribing } from '../support/store/decided.ts'
import { holdPartition } from '../support/store/hold-partition.ts'
import { meterRow } from '../support/store/rows.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { instantAt, measuredOf, sliceOf } from '../support/store/scratch-store.ts'
import { subscriptionOf } from '../support/store/subscription.ts'
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
      await holdPartition(store, 0)
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

    async function committed(scope: Scope, ...rows: readonly RowChange[]): Promise<void> {
      expect(await store.changes.commit(changeWith(scope, { rows }))).toBe('committed')
    }

    async function subscribe(key: AccountKey): Promise<Subscription> {
      const at = decidedAt
      const row = subscriptionOf(store.newId('sub'), key.customerId, { of: key.entitlementId, at })
      await committed(key, subscribing(row))
      return row
    }

    /** An account with a subscription, which a new store has never had before. */
    async function subscribed() {
      const [key] = await accounts()
      return { key, subscription: await subscribe(key) }
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

    test('draws the versions of subscriptions', async () => {
      const { key, subscription } = await subscribed()
      const put = async (quantity: number) => {
        const row = { ...subscription, quantity, version: 2 }
        await committed(key, subscribing(row, 1))
        return (await store.subscriptions.find(key, row.subscriptionId))?.version
      }
      const lost = await put(2)
      await store.db.query(sql`update subscriptions set version = 1`)
      expect(await put(3)).not.toBe(lost)
    })

    test('draws the versions of catalogs', async () => {
      const scope = await store.business()
      const added = async () => {
        const row = meterRow(store.newId('mtr'), decidedAt)
        await committed(scope, { noun: 'meter', expected: null, row })
        return (await meters(store.db).catalogOf([scope]))[0]?.catalog.version
      }
      const lost = await added()
      await store.db.query(sql`update business_modes set catalog_version = 1`)
      expect(await added()).not.toBe(lost)
    })

    test.each(['delete from checkpoints', 'update checkpoints set epoch = 1'])(
      'draws the epochs of a partition: %s',
      async (losing) => {
        const take = async () => (await store.measuring.take(7, 'log', 'ns')).epoch
        const lost = await take()
        await store.db.query({ text: `${losing} where partition = 7`, values: [] })
        expect(await take()).not.toBe(lost)
      },
    )

    test('measures nothing under routes whose version it has given again', async () => {
      const { key } = await subscribed()
      const { businessId, customerId, mode } = key
      const [lost] = await store.measuring.routes([key])
      if (lost === undefined) throw new Error('No routes.')
      await store.db.query(sql`
        update customers set routes_version = routes_version - 1 where customer_id = ${customerId}`)
      await subscribe(key)
      const [now] = await store.measuring.routes([key])
      expect(now).toMatchObject({ version: lost.version })
      const [checkpoint] = await store.measuring.checkpoints()
      const under = ({ stamp, version }: Pick<VersionedRoutes, 'stamp' | 'version'>) =>
        store.measuring.commit(
          measuredOf({
            slices: [sliceOf({ start: checkpoint?.nextOffset ?? 0 })],
            routes: [{ businessId, mode, customerId, version, stamp }],
          }),
        )
      expect(await under(lost)).toMatchObject({ kind: 'stale', customers: [{ customerId }] })
      expect(await under(now ?? lost)).toEqual({ kind: 'committed' })
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
