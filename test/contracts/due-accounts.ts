import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountIdOf } from '../../src/operations/accounts/account-id.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import type { AccountChange } from '../../src/rules/accounts/change.ts'
import { changeOf } from '../../src/rules/accounts/change.ts'
import type { AccountKey } from '../../src/rules/accounts/view.ts'
import { measuringDesk } from '../support/measuring/desk.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { january, sliceOf } from '../support/store/scratch-store.ts'
import { incrementOf } from '../support/store/usage.ts'
import type { StoreDriver } from './accounts.ts'

/** Which accounts settling is told to look at, and which not. [machines#writers] */
export function testDueAccounts(driver: StoreDriver): void {
  describe(`accounts that are due in ${driver.name}`, () => {
    const desk = measuringDesk(driver)
    const { account } = desk
    let store: ScratchStore

    beforeAll(async () => {
      store = await desk.open()
    })
    afterAll(() => store.drop())

    async function use(key: AccountKey, value: string): Promise<void> {
      const slices = [sliceOf({ partition: await desk.partition() })]
      await desk.commit({ slices, usage: [incrementOf(key, { value })], accounts: [key] })
    }

    async function settled(key: AccountKey): Promise<AccountChange> {
      const view = await viewOf(key)
      return changeOf({ ...store, accountIdOf }, view, {
        at: january,
        decide: () => null,
        idempotencyKey: null,
      })
    }

    /** Settles everything but these. */
    async function settledBut(keys: readonly AccountKey[]): Promise<void> {
      const left = new Set(keys.map(accountIdOf))
      const due = await store.accounts.due(1_000, 0, null)
      for (const key of due.filter((each) => !left.has(accountIdOf(each))))
        await store.changes.commitEach([await settled(key)])
    }

    async function viewOf(key: AccountKey) {
      const [view] = await store.accounts.load([key])
      if (view === undefined) throw new Error('No view.')
      return view
    }

    test('an account settled a moment ago waits, one never stored does not', async () => {
      const [busy, fresh] = [await account(), await account()]
      await store.changes.commitEach([await settled(busy)])
      await use(busy, '1')
      await use(fresh, '1')
      const due = await store.accounts.due(100, 60_000, null)
      expect(due).toContainEqual(fresh)
      expect(due).not.toContainEqual(busy)
      expect(await store.accounts.due(100, 0, null)).toContainEqual(busy)
    })

    test('comes in the order in which usage came, bounded, each account once', async () => {
      const waiting = await store.accounts.backlog()
      const [first, second] = [await account(), await account()]
      for (const key of [first, second, first]) await use(key, '1')
      const due = await store.accounts.due(1_000, 0, null)
      expect(due.slice(-2)).toEqual([first, second])
      expect(await store.accounts.backlog()).toBe(waiting + 2)
      expect(await store.accounts.due(1, 0, null)).toHaveLength(1)
    })

    test('each account falls into one of the shares, however many there are', async () => {
      const keys = await Promise.all(Array.from({ length: 12 }, () => account()))
      for (const key of keys) await use(key, '1')
      const shares = await Promise.all(
        [0, 1, 2].map((slot) => store.accounts.due(1_000, 0, { slots: [slot], of: 3 })),
      )
      const all = await store.accounts.due(1_000, 0, null)
      expect(shares.flat()).toHaveLength(all.length)
      expect(shares.flat()).toEqual(expect.arrayContaining([...all]))
      expect(await store.accounts.due(1_000, 0, { slots: [], of: 3 })).toEqual([])
    })

    test('of each business the same number, the oldest first, whoever has the most', async () => {
      const [greedy, ...others] = [await account(), await account(), await account()]
      const many: AccountKey[] = []
      while (many.length < 40) many.push({ ...greedy, customerId: await store.customer(greedy) })
      for (const key of [...many, ...others]) await use(key, '1')
      // All that waits besides is settled, so that these are all businesses with something to do.
      await settledBut([...many, ...others])
      expect(await store.accounts.due(40, 0, null)).toEqual(many)
      const nobody = { businessId: '', mode: 'test' as const }
      const of = (limit: number, quietMs: number, except: Scope = nobody) =>
        store.accounts.dueOfEach(limit, quietMs, { share: null, except })
      const each = await of(5, 0)
      expect(each).toHaveLength(5)
      expect(each).toEqual(expect.arrayContaining([...others, ...many.slice(0, 3)]))
      expect(await of(100, 60_000)).toHaveLength(42)
      expect(await of(5, 0, greedy)).toEqual(expect.arrayContaining(others))
      expect(await of(5, 0, greedy)).toHaveLength(2)
      const [one = greedy] = others
      await store.changes.commitEach([await settled(one)])
      await use(one, '1')
      expect(await of(100, 60_000)).not.toContainEqual(one)
      const share = { slots: [], of: 3 }
      expect(await store.accounts.dueOfEach(100, 0, { share, except: nobody })).toEqual([])
      await settledBut([])
      expect(await of(100, 0)).toEqual([])
    })

    test('businesses take turns, so that each comes, however many there are', async () => {
      const keys = await Promise.all(Array.from({ length: 45 }, () => account()))
      for (const key of keys) await use(key, '1')
      await settledBut(keys)
      const whose = { share: null, except: { businessId: '', mode: 'test' as const } }
      const next = () => store.accounts.dueOfEach(100, 0, whose)
      const [first, second, third] = [await next(), await next(), await next()]
      expect([first.length, second.length, third.length]).toEqual([20, 20, 5])
      expect([...first, ...second, ...third]).toEqual(expect.arrayContaining(keys))
      // And again from the beginning.
      expect(await next()).toEqual(first)
      await settledBut([])
    })

    test('an account that was set aside is not, until it is taken back', async () => {
      const key = await account()
      await store.changes.commitEach([await settled(key)])
      await use(key, '1')
      await store.accounts.setAside(key, accountIdOf(key), 'its terms are gone')
      expect((await viewOf(key)).stored?.setAside).toBe('its terms are gone')
      expect(await store.accounts.due(1_000, 0, null)).not.toContainEqual(key)
      await store.accounts.setAside(key, accountIdOf(key), null)
      expect(await store.accounts.due(1_000, 0, null)).toContainEqual(key)
    })
  })
}
