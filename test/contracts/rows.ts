import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RowChange } from '../../src/parts/store/changes.ts'
import { businesses } from '../../src/parts/store/postgres/catalog/businesses.ts'
import { customers } from '../../src/parts/store/postgres/catalog/customers.ts'
import { discounts } from '../../src/parts/store/postgres/catalog/discounts.ts'
import { keys } from '../../src/parts/store/postgres/catalog/keys.ts'
import { meters } from '../../src/parts/store/postgres/catalog/meters.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import { paymentMethods } from '../../src/parts/store/postgres/payments/payment-methods.ts'
import { webhookEndpoints } from '../../src/parts/store/postgres/telling/webhook-endpoints.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import { changedDiscount } from '../../src/rules/commerce/discounts/discount.ts'
import { deletedMethod, usedMethod } from '../../src/rules/commerce/payments/saved-method.ts'
import { forgottenEndpoint } from '../../src/rules/facts/webhook-endpoint.ts'
import { archivedMeter } from '../../src/rules/meter/meter.ts'
import { after, second } from '../../src/std/instant.ts'
import { decidedAt as at, changeWith, newAccount, subscribing } from '../support/store/decided.ts'
import {
  businessRow,
  customerRow,
  discountRowWith,
  endpointRow,
  keyRow,
  meterRow,
  savedMethodRow,
} from '../support/store/rows.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { somebodyWaits } from '../support/store/somebody-waits.ts'
import { subscriptionOf } from '../support/store/subscription.ts'
import type { StoreDriver } from './accounts.ts'
import { boughtNouns } from './bought-nouns.ts'
import { catalogNouns } from './catalog-nouns.ts'
import { moneyNouns } from './money-nouns.ts'
import type { Noun } from './nouns.ts'
import { refusingAll, testNouns } from './nouns.ts'
import { payingNouns } from './paying-nouns.ts'

const later = after(at, second)

/** What every store promises of the rows that a change makes and replaces [machines#writers]. */
export function testRows(driver: StoreDriver): void {
  describe(`rows in ${driver.name}`, () => {
    let store: ScratchStore
    let scope: Scope

    beforeAll(async () => {
      store = await driver.open()
    })
    afterAll(() => store.drop())
    beforeEach(async () => {
      scope = await store.business()
    })

    const commit = (...rows: readonly RowChange[]) =>
      store.changes.commit({ ...changeWith(scope, { rows }), clockAhead: null })

    const refusing = (row: RowChange) => refusingAll({ commit, store: () => store }, row)

    /** A new row of a noun, one change of it, and how either is read. */
    const nouns = {
      business: () => {
        const row = businessRow(store.newId('bus'), at)
        const next = { ...row, rateTier: 'unlimited' }
        return {
          id: row.businessId,
          made: { noun: 'business', expected: null, row } as const,
          changed: { noun: 'business', expected: row, row: next } as const,
          again: { noun: 'business', expected: row, row: { ...row, rateTier: '2' } } as const,
          read: () => businesses(store.db).find(row.businessId),
          seen: [row, next],
        }
      },
      api_key: () => {
        const { hash, backfillUs, ...own } = keyRow(store.newId('key'), scope, at)
        const row = { ...own, lastUsedAt: null, revokedAt: null }
        const next = { ...row, revokedAt: later }
        return {
          id: row.keyId,
          made: { noun: 'api_key', expected: null, row: { ...own, hash, backfillUs } } as const,
          changed: { noun: 'api_key', expected: row, row: next } as const,
          again: { noun: 'api_key', expected: row, row: next } as const,
          read: () => keys(store.db).get(row.keyId),
          seen: [row, next],
        }
      },
      customer: () => {
        const row = customerRow(store.newId('cus'), at)
        const next = { ...row, phoneNumber: null, metadata: {}, updatedAt: later }
        return {
          id: row.customerId,
          made: { noun: 'customer', expected: null, row } as const,
          changed: { noun: 'customer', expected: row, row: next } as const,
          again: { noun: 'customer', expected: row, row: { ...row, name: 'B' } } as const,
          read: () => customers(store.db).get(scope, row.customerId),
          seen: [row, next],
        }
      },
      discount: () => {
        const row = discountRowWith(store.newId('dsc'), at)
        const next = changedDiscount(row, { startsAt: null, restrictedTo: [] }, later)
        const changed = { noun: 'discount', expected: row.updatedAt } as const
        return {
          id: row.discountId,
          made: { noun: 'discount', expected: null, row } as const,
          changed: { ...changed, row: next } as const,
          again: { ...changed, row: changedDiscount(row, { name: null }, later) } as const,
          read: () => discounts(store.db).get(scope, row.discountId),
          seen: [row, next],
        }
      },
      ...catalogNouns(() => ({ store, scope })),
      ...moneyNouns(() => ({ store, scope })),
      ...boughtNouns(() => ({ store, scope })),
      ...payingNouns(() => ({ store, scope })),
      meter: () => {
        const row = meterRow(store.newId('mtr'), at)
        const next = archivedMeter(row, { log: later, at: later })
        return {
          id: row.meterId,
          made: { noun: 'meter', expected: null, row } as const,
          changed: { noun: 'meter', expected: row, row: next } as const,
          again: { noun: 'meter', expected: row, row: next } as const,
          read: () => meters(store.db).get(scope, row.meterId),
          seen: [row, next],
        }
      },
      payment_method: () => {
        const row = savedMethodRow(store.newId, at)
        const changed = { noun: 'payment_method', expected: 1 } as const
        return {
          id: row.paymentMethodId,
          made: { noun: 'payment_method', expected: null, row } as const,
          changed: { ...changed, row: deletedMethod(row, later) } as const,
          again: { ...changed, row: usedMethod(row, later) } as const,
          read: () => paymentMethods(store.db).get(scope, row.paymentMethodId),
          seen: [row, deletedMethod(row, later)],
        }
      },
      webhook_endpoint: () => {
        const row = endpointRow(store.newId('whk'), scope, at)
        const next = { ...row, rateLimit: null, headers: {}, updatedAt: later }
        const changed = { noun: 'webhook_endpoint', expected: row, deletedAt: null } as const
        return {
          id: row.webhookId,
          made: { ...newEndpoint, row } as const,
          changed: { ...changed, row: next } as const,
          again: { ...changed, row: { ...row, disabled: true } } as const,
          read: () => webhookEndpoints(store.db).find(scope, row.webhookId),
          seen: [row, next],
        }
      },
    } satisfies Record<string, () => Noun>

    const newEndpoint = {
      noun: 'webhook_endpoint',
      expected: null,
      among: 0,
      idempotencyKey: 'one',
    } as const

    testNouns(nouns, { commit, store: () => store, scope: () => scope })

    test.each([
      ['business', 'businesses', 'business_id'],
      ['api_key', 'api_keys', 'key_id'],
      ['customer', 'customers', 'customer_id'],
      ['discount', 'discounts', 'discount_id'],
      ['meter', 'meters', 'meter_id'],
      ['addon', 'addons', 'addon_id'],
      ['brand', 'brands', 'brand_id'],
      ['collection', 'product_collections', 'collection_id'],
      ['product', 'products', 'product_id'],
    ] as const)(
      'locks of %s are taken in the order of their ids, however they are named',
      async (noun, table, id) => {
        const rows = [nouns[noun](), nouns[noun](), nouns[noun]()]
        await commit(...rows.map(({ made }) => made))
        const [first = '', ...rest] = rows.map((each) => each.id).toSorted()
        const backward = rows.toSorted((a, b) => (a.id < b.id ? 1 : -1))
        const other = store.another()
        let waiting: Promise<unknown> | null = null
        await store.db.transaction(async (tx) => {
          const text = `select ${id} as id from ${table} where ${id} = any ($1) for update skip locked`
          await tx.query({ text, values: [[first]] })
          const named = backward.map(({ changed }) => changed)
          waiting = other.changes.commit(changeWith(scope, { rows: named }))
          await somebodyWaits(store.db)
          // It waits for the first, and none of the others is its own yet.
          const free = await tx.query<{ id: string }>({ text, values: [rest] })
          expect(free.map((row) => row.id).toSorted()).toEqual(rest)
        })
        expect(await waiting).toBe('committed')
      },
    )

    test('a business has both modes from its first moment', async () => {
      const row = businessRow(store.newId('bus'), at)
      await commit({ noun: 'business', expected: null, row })
      await commit({ noun: 'business', expected: row, row: { ...row, rateTier: '2' } })
      const own = { businessId: row.businessId, mode: null }
      expect((await businesses(store.db).scopes(own, 10)).map(({ mode }) => mode)).toEqual([
        'live',
        'test',
      ])
    })

    test('a new customer is subscribed in the same change', async () => {
      const { entitlementId: of } = await newAccount(store, scope)
      const row = customerRow(store.newId('cus'), at)
      const subscribed = subscriptionOf(store.newId('sub'), row.customerId, { of, at })
      const made = { noun: 'customer', expected: null, row } as const
      const taken = { ...subscribing(subscribed), expected: 1 } as RowChange
      const before = await store.contents()
      expect(await commit(made, taken)).toBe('moved')
      expect(await store.contents()).toBe(before)
      expect(await commit(made, subscribing(subscribed))).toBe('committed')
      expect(await customers(store.db).get(scope, row.customerId)).toEqual(row)

      // The version of its routes has moved with that, and is no part of the customer.
      const renamed = { ...row, name: 'B' }
      expect(await commit({ noun: 'customer', expected: row, row: renamed })).toBe('committed')
      const [version] = await store.db.query(sql`
        select routes_version from customers where customer_id = ${row.customerId}`)
      expect(version).toEqual({ routes_version: 2 })
    })

    describe('a webhook endpoint', () => {
      const made = () => ({ ...newEndpoint, row: endpointRow(store.newId('whk'), scope, at) })

      test('is made among as many as were counted, in both modes together', async () => {
        const { counted } = webhookEndpoints(store.db)
        const live = { ...scope, mode: 'live' } as const
        const row = endpointRow(store.newId('whk'), live, at)
        expect(await counted(scope.businessId)).toBe(0)
        expect(await commit(made())).toBe('committed')
        await refusing({ ...newEndpoint, row })
        expect(await counted(scope.businessId)).toBe(1)
        expect(await commit({ ...newEndpoint, row, among: 1 })).toBe('committed')
      })

      test('is made once with an idempotency key, and again when it is deleted', async () => {
        const first = made()
        await commit(first)
        await refusing({ ...made(), among: 1 })
        expect(await commit({ ...made(), among: 1, idempotencyKey: null })).toBe('committed')
        const { keyed, find } = webhookEndpoints(store.db)
        expect(await keyed(scope, 'one')).toEqual(first.row)
        const { row } = first
        const gone = { noun: 'webhook_endpoint', expected: row, deletedAt: later } as const
        expect(await commit({ ...gone, row: forgottenEndpoint(row) })).toBe('committed')
        expect([await keyed(scope, 'one'), await find(scope, row.webhookId)]).toEqual([null, null])
        await refusing({ ...gone, row, deletedAt: null })
        const [kept] = await store.db.query(sql`
          select secret, headers from webhook_endpoints where webhook_id = ${row.webhookId}`)
        expect(kept).toEqual({ secret: Buffer.alloc(0), headers: {} })
        expect(await commit({ ...made(), among: 1 })).toBe('committed')
      })
    })
  })
}
