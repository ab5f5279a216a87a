import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Change, RowChange } from '../../src/parts/store/changes.ts'
import { outbox } from '../../src/parts/store/postgres/telling/outbox.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import { instantOf } from '../../src/std/instant.ts'
import {
  changeWith,
  decidedAt,
  granting,
  loneFact,
  newAccount,
  subscribing,
} from '../support/store/decided.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { february } from '../support/store/scratch-store.ts'
import { somebodyWaits } from '../support/store/somebody-waits.ts'
import { subscriptionOf } from '../support/store/subscription.ts'
import type { StoreDriver } from './accounts.ts'

/** What every store promises when several processes write at once [machines#writers]. */
export function testChangesAtOnce(driver: StoreDriver): void {
  describe(`changes at once in ${driver.name}`, () => {
    let store: ScratchStore
    let scope: Scope

    beforeAll(async () => {
      store = await driver.open()
    })
    afterAll(() => store.drop())
    beforeEach(async () => {
      scope = await store.business()
    })

    const committing = (parts: Partial<Change>) => store.changes.commit(changeWith(scope, parts))
    const fact = () => loneFact(store.newId('msg'))

    test('of two that make the same account one wins, the other writes nothing', async () => {
      const other = store.another()
      for (let round = 0; round < 8; round += 1) {
        const key = await newAccount(store, scope)
        const [first, second] = [await granting(store, key), await granting(store, key)]
        const outcomes = await Promise.all([
          committing({ accounts: [first], facts: [fact()] }),
          other.changes.commit(changeWith(scope, { accounts: [second], facts: [fact()] })),
        ])
        expect(outcomes.toSorted()).toEqual(['committed', 'moved'])
        const [view] = await store.accounts.load([key])
        expect(view?.stored).toMatchObject({ version: 1, account: { entries: 1 } })
      }
      const told = (await outbox(store.db).waiting(1_000)).filter(
        ({ businessId }) => businessId === scope.businessId,
      )
      expect(told).toHaveLength(16)
    })

    /** Three customers, each with everything of its own. */
    async function several() {
      const keys = [
        await newAccount(store, scope),
        await newAccount(store, scope),
        await newAccount(store, scope),
      ]
      const made = keys.map(({ customerId, entitlementId: of }) =>
        subscriptionOf(store.newId('sub'), customerId, { of, at: decidedAt }),
      )
      const rows = made.map((row) => subscribing(row))
      const accounts = await Promise.all(keys.map((key) => granting(store, key)))
      expect(await committing({ rows, accounts })).toBe('committed')
      return { keys, made }
    }

    async function next(of: Awaited<ReturnType<typeof several>>, round: number) {
      const rows = of.made.map(async ({ subscriptionId }): Promise<RowChange> => {
        const row = await store.subscriptions.find(scope, subscriptionId)
        if (row === null) throw new Error('No subscription.')
        const [version, ended] = [row.version + 1, instantOf(february + round)]
        return subscribing({ ...row, version, ended }, row.version)
      })
      return {
        rows: await Promise.all(rows),
        accounts: await Promise.all(of.keys.map((key) => granting(store, key))),
      }
    }

    test('those that name the same in opposite order do not wait for each other', async () => {
      const of = await several()
      const other = store.another()
      for (let round = 1; round <= 12; round += 1) {
        const { rows, accounts } = await next(of, round)
        const backward = { rows: rows.toReversed(), accounts: accounts.toReversed() }
        const outcomes = await Promise.all([
          committing({ rows, accounts }),
          other.changes.commit(changeWith(scope, backward)),
        ])
        expect(outcomes.toSorted()).toEqual(['committed', 'moved'])
      }
    })

    test.each([
      ['accounts', 'account_id'],
      ['subscriptions', 'subscription_id'],
    ])(
      'locks of %s are taken in the order of their ids, however they are named',
      async (table, id) => {
        const of = await several()
        const { rows, accounts } = await next(of, 1)
        const all =
          table === 'accounts'
            ? accounts.map(({ accountId }) => accountId)
            : of.made.map(({ subscriptionId }) => subscriptionId)
        const [first = '', ...rest] = all.toSorted()
        const other = store.another()
        let waiting: Promise<unknown> | null = null
        await store.db.transaction(async (tx) => {
          const text = `select ${id} as id from ${table} where ${id} = any ($1) for update skip locked`
          await tx.query({ text, values: [[first]] })
          waiting = other.changes.commit(
            changeWith(scope, { rows: rows.toReversed(), accounts: accounts.toReversed() }),
          )
          await somebodyWaits(store.db)
          // It waits for the first customer, and holds no lock of the others yet.
          const free = await tx.query<{ id: string }>({ text, values: [rest] })
          expect(free.map((row) => row.id).toSorted()).toEqual(rest)
        })
        expect(await waiting).toBe('committed')
      },
    )
  })
}
