import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountIdOf } from '../../src/operations/accounts/account-id.ts'
import type { Change, RowChange } from '../../src/parts/store/changes.ts'
import { creditEntitlements } from '../../src/parts/store/postgres/catalog/credit-entitlements.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import { outbox } from '../../src/parts/store/postgres/telling/outbox.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import type { CreditEntitlement } from '../../src/rules/commerce/catalog/credit-entitlement.ts'
import { deletedEntitlement } from '../../src/rules/commerce/catalog/credit-entitlement.ts'
import { after, microsecond } from '../../src/std/instant.ts'
import {
  changeWith,
  decidedAt,
  granting,
  loneFact,
  newAccount,
  subscribing,
} from '../support/store/decided.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { subscriptionOf } from '../support/store/subscription.ts'
import type { StoreDriver } from './accounts.ts'

/** What every store promises about its one way to write [machines#writers]. */
export function testChanges(driver: StoreDriver): void {
  describe(`changes in ${driver.name}`, () => {
    let store: ScratchStore
    let scope: Scope

    beforeAll(async () => {
      store = await driver.open()
    })
    afterAll(() => store.drop())
    beforeEach(async () => {
      scope = await store.business()
    })

    async function entitlement(id: string): Promise<CreditEntitlement> {
      const found = await creditEntitlements(store.db).get(scope, id)
      if (found === null) throw new Error('No credit entitlement.')
      return found
    }

    const committing = (parts: Partial<Change>) => store.changes.commit(changeWith(scope, parts))

    const renaming = (row: CreditEntitlement, name: string): RowChange => ({
      noun: 'credit_entitlement',
      expected: row.updatedAt,
      row: { ...row, name, updatedAt: after(row.updatedAt, microsecond) },
      over: [],
    })

    const fact = () => loneFact(store.newId('msg'))

    /** One row of each kind. */
    async function everything() {
      const key = await newAccount(store, scope)
      const subscribed = subscriptionOf(store.newId('sub'), key.customerId, {
        of: key.entitlementId,
        at: decidedAt,
      })
      const was = await entitlement(key.entitlementId)
      const change = {
        rows: [subscribing(subscribed), renaming(was, `${was.name} 2`)],
        accounts: [await granting(store, key, 'once')],
        facts: [fact()],
      }
      return { key, subscribed, was, change }
    }

    async function refusing(change: Partial<Change>): Promise<void> {
      const before = await store.contents()
      expect(await committing(change)).toBe('moved')
      expect(await store.contents()).toBe(before)
    }

    test('writes rows, accounts and facts together', async () => {
      const { key, subscribed, was, change } = await everything()
      expect(await committing(change)).toBe('committed')
      const [view] = await store.accounts.load([key])
      expect(view?.stored).toMatchObject({ version: 1, account: change.accounts[0]?.account })
      const { subscriptionId } = subscribed
      expect(await store.subscriptions.find(scope, subscriptionId)).toEqual(subscribed)
      expect((await entitlement(key.entitlementId)).name).toBe(`${was.name} 2`)
      expect(await store.accounts.adjusted(accountIdOf(key), 'once')).toBe(true)
      const told = (await outbox(store.db).waiting(10)).filter(
        ({ businessId }) => businessId === scope.businessId,
      )
      const [alone] = change.facts
      expect(told).toMatchObject([
        { type: alone?.type, told: { data: alone?.data } },
        { type: 'credit.manual_adjustment', told: { entry: { customerId: key.customerId } } },
      ])
    })

    test('writes a fact that is about no account', async () => {
      const alone = fact()
      expect(await committing({ facts: [alone] })).toBe('committed')
      const waiting = await outbox(store.db).waiting(1_000)
      const { messageId, type, data, at } = alone
      expect(waiting.find((each) => each.messageId === messageId)).toMatchObject({
        ...scope,
        type,
        at,
        told: { type, data },
      })
    })

    test('writes nothing where nothing is decided', async () => {
      const before = await store.contents()
      expect(await committing({ clockAhead: 1 })).toBe('committed')
      expect(await store.contents()).toBe(before)
    })

    describe('writes nothing at all', () => {
      test('where an account has moved', async () => {
        const { key, change } = await everything()
        await store.changes.commitEach([await granting(store, key)])
        await refusing(change)
        const second = await granting(store, key)
        expect(await committing({ accounts: [second] })).toBe('committed')
        await refusing({ ...change, accounts: [second] })
      })

      test('where one of several accounts has moved', async () => {
        const keys = [
          await newAccount(store, scope),
          await newAccount(store, scope),
          await newAccount(store, scope),
        ]
        const accounts = await Promise.all(keys.map((key) => granting(store, key)))
        await store.changes.commitEach(accounts.slice(1, 2))
        await refusing({ accounts, facts: [fact()] })
      })

      test('where a subscription has moved, or is there already', async () => {
        const { subscribed, change } = await everything()
        await committing({ rows: [subscribing(subscribed)] })
        await refusing(change)
        const second = { ...subscribed, version: 2, quantity: 2 }
        expect(await committing({ rows: [subscribing(second, 1)] })).toBe('committed')
        await refusing({ ...change, rows: [subscribing(second, 1)] })
        await refusing({ rows: [subscribing({ ...second, version: 3 }, 1)] })
      })

      test('where a subscription that was expected is not there', async () => {
        const { subscribed, change } = await everything()
        await refusing({ ...change, rows: [subscribing({ ...subscribed, version: 2 }, 1)] })
      })

      test('where a credit entitlement has moved, is deleted, or is there already', async () => {
        const { was, change } = await everything()
        const [, renamed] = change.rows
        if (renamed?.noun !== 'credit_entitlement') throw new Error('No entitlement.')
        await refusing({ ...change, rows: [{ ...renamed, expected: null }] })
        expect(await committing({ rows: [renaming(was, 'another')] })).toBe('committed')
        await refusing(change)
        await refusing({ rows: change.rows.slice(1) })
        const there = await entitlement(was.creditEntitlementId)
        const deleting: RowChange = {
          noun: 'credit_entitlement',
          expected: there.updatedAt,
          row: deletedEntitlement(there, decidedAt),
          over: [],
        }
        expect(await committing({ rows: [deleting] })).toBe('committed')
        const { get } = creditEntitlements(store.db)
        expect(await get(scope, was.creditEntitlementId)).toBeNull()
        await refusing({ rows: [renaming(there, 'a third')] })
      })

      test('where the clock is another [subscriptions#the-time-of-a-command]', async () => {
        const { change } = await everything()
        const { rows, accounts, facts } = change
        await refusing({ ...change, clockAhead: 1 })
        await refusing({ rows: rows.slice(0, 1), clockAhead: 1 })
        await refusing({ facts, clockAhead: 1 })
        await refusing({ accounts: accounts.map((each) => ({ ...each, clockAhead: 1 })) })
        expect(await committing({ ...change, clockAhead: null })).toBe('committed')
      })

      test('where an idempotency key was used before', async () => {
        const { key, change } = await everything()
        await committing({ accounts: [await granting(store, key, 'once')] })
        await refusing({ ...change, accounts: [await granting(store, key, 'once')] })
        expect(await committing({ accounts: [await granting(store, key, 'twice')] })).toBe(
          'committed',
        )
      })

      test('where a name is taken', async () => {
        const { was, change } = await everything()
        const [subscribed] = change.rows
        const other = await entitlement(await store.entitlement(scope))
        const before = await store.contents()
        const rows = [renaming(was, other.name), ...(subscribed === undefined ? [] : [subscribed])]
        expect(await committing({ ...change, rows })).toBe('taken')
        expect(await store.contents()).toBe(before)
      })

      test('of a noun that nobody knows', async () => {
        const before = await store.contents()
        const unknown = {
          business_id: scope.businessId,
          mode: scope.mode,
          clock_ahead: 0,
          accounts: [],
          rows: { subscription: [], wish: [{}] },
          facts: [{ message_id: 'msg_1', type: 'a', at: 'now', ...scope }],
        }
        const text = JSON.stringify(unknown)
        await expect(store.db.query(sql`select commit_change(${text}::jsonb)`)).rejects.toThrow(
          /nothing writes such rows: \{wish\}/,
        )
        expect(await store.contents()).toBe(before)
      })
    })
  })
}
