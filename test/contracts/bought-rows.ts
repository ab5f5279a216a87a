import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RowChange } from '../../src/parts/store/changes.ts'
import { entitlementGrants } from '../../src/parts/store/postgres/entitlements/entitlement-grants.ts'
import { licenseKeys } from '../../src/parts/store/postgres/licenses/license-keys.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import type { BalanceEntry } from '../../src/rules/commerce/balances/balance-entry.ts'
import { booked } from '../../src/rules/commerce/balances/balance-entry.ts'
import type { Currency } from '../../src/rules/commerce/currency.ts'
import type { Instant } from '../../src/std/instant.ts'
import { instantOf, second } from '../../src/std/instant.ts'
import { decidedAt as at, changeWith } from '../support/store/decided.ts'
import { licenseKeyRow, payoutRow } from '../support/store/rows.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import type { StoreDriver } from './accounts.ts'
import { boughtNouns } from './bought-nouns.ts'

const later = instantOf(at + second)
const page = { limit: 100, offset: 0 }
const everything = {
  currency: null,
  eventType: null,
  referenceId: null,
  createdFrom: null,
  createdTo: null,
}

/** What every store promises of a business's ledger of money, of grants and of keys in use. */
export function testBoughtRows(driver: StoreDriver): void {
  describe(`what is bought in ${driver.name}`, () => {
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

    const entriesOf = (
      amounts: readonly (readonly [BalanceEntry['eventType'], number])[],
      of: Of,
    ) =>
      booked(store.newId, { referenceId: 'pay_1', currency: 'EUR', at, amounts, ...of }).map(
        (row) => ({ noun: 'balance_entry', expected: null, row }) as const,
      )
    interface Of {
      readonly currency?: Currency
      readonly at?: Instant
    }

    const chainOf = async (currency: Currency) =>
      (await store.balances.between(scope, { currency, from: 1, to: 1_000 }, page)).map(
        ({ number, balanceBefore, balanceAfter }) => [number, balanceBefore, balanceAfter],
      )

    test('a payout is of the very entries that it was decided on', async () => {
      const entries = entriesOf([['payment', 1_000]], {})
      await commit(...entries)
      const row = payoutRow(store.newId, at)
      const paying = (newestEntryId: string | null) =>
        commit({ noun: 'payout', expected: null, row, newestEntryId })
      // As many entries, of which the last commits of a store were lost, and others came.
      for (const other of [null, store.newId('ble')]) expect(await paying(other)).toBe('moved')
      expect(await paying(entries[0]?.row.entryId ?? null)).toBe('committed')
    })

    test('entries of money get their places one behind the other, in each currency', async () => {
      const first = entriesOf(
        [
          ['payment', 1_000],
          ['payment_fees', 30],
        ],
        {},
      )
      expect(await commit(...first)).toBe('committed')
      expect(await commit(...entriesOf([['payment', 7]], { currency: 'JPY' }))).toBe('committed')
      expect(await commit(...entriesOf([['refund', 1_500]], { at: later }))).toBe('committed')
      expect(await chainOf('EUR')).toEqual([
        [1, 0, 1_000],
        [2, 1_000, 970],
        [3, 970, -530],
      ])
      expect(await chainOf('JPY')).toEqual([[1, 0, 7]])
      const listed = await store.balances.entries(scope, { ...everything, currency: 'EUR' }, page)
      expect(listed.map(({ entryId }) => entryId).slice(1)).toEqual(
        first.map(({ row }) => row.entryId).toReversed(),
      )
    })

    test('an entry that comes late is never older than the one before it', async () => {
      await commit(...entriesOf([['payment', 5]], { at: later }))
      await commit(...entriesOf([['payment', 5]], {}))
      const [newest, older] = await store.balances.entries(scope, everything, page)
      expect([newest?.createdAt, older?.createdAt]).toEqual([later, later])
    })

    test('entries of many changes at once are one chain without gaps', async () => {
      const stores = [store, store.another(), store.another()]
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          stores[n % stores.length]?.changes.commit({
            ...changeWith(scope, {
              rows: entriesOf(
                [
                  ['payment', 10],
                  ['payment_fees', n + 1],
                ],
                {},
              ),
            }),
            clockAhead: null,
          }),
        ),
      )
      expect(new Set(outcomes)).toEqual(new Set(['committed']))
      const chain = await chainOf('EUR')
      expect(chain.map(([number]) => number)).toEqual(Array.from({ length: 24 }, (_, n) => n + 1))
      chain.forEach(([, before], index) => {
        expect(before).toBe(index === 0 ? 0 : chain[index - 1]?.[2])
      })
      expect(chain.at(-1)?.[2]).toBe(120 - 78)
      const span = { currency: 'EUR', from: 1, to: 24 } as const
      expect((await store.balances.totals(scope, span)).map(({ total }) => total)).toEqual([
        120, -78,
      ])
    })

    test('a purchase has one grant of an entitlement, whoever makes it first', async () => {
      const { before, made } = boughtNouns(() => ({ store, scope })).entitlement_grant()
      await commit(...before)
      const twin = { ...made, row: { ...made.row, grantId: store.newId('entg') } }
      const outcomes = await Promise.all([
        commit(made),
        store
          .another()
          .changes.commit({ ...changeWith(scope, { rows: [twin] }), clockAhead: null }),
      ])
      expect(outcomes.toSorted()).toEqual(['committed', 'moved'])
      const by = { paymentIds: [made.row.paymentId ?? ''], subscriptionIds: [] }
      expect(await entitlementGrants(store.db).broughtBy(scope, by)).toHaveLength(1)
    })

    test('a key is used as often as its limit allows, and its count is that of its instances', async () => {
      const key = { ...licenseKeyRow(store.newId, at), activationsLimit: 1 }
      const used = { ...key, instancesCount: 1, updatedAt: later }
      const instance = (name: string) => ({
        noun: 'license_key_instance' as const,
        expected: null,
        row: {
          instanceId: store.newId('lki'),
          licenseKeyId: key.licenseKeyId,
          name,
          createdAt: at,
        },
        ends: false,
      })
      const use = (name: string) => [
        { noun: 'license_key', expected: at, row: used } as const,
        instance(name),
      ]
      await commit({ noun: 'license_key', expected: null, row: key })
      const other = store.another()
      const rows = use('the second')
      const outcomes = await Promise.all([
        commit(...use('the first')),
        other.changes.commit({ ...changeWith(scope, { rows }), clockAhead: null }),
      ])
      expect(outcomes.toSorted()).toEqual(['committed', 'moved'])
      const { instances } = licenseKeys(store.db)
      const filter = { licenseKeyId: key.licenseKeyId, grantId: null }
      const [one, ...more] = await instances(scope, filter, page)
      if (one === undefined) throw new Error('No instance.')
      expect(more).toEqual([])
      const freed = { ...used, instancesCount: 0, updatedAt: instantOf(later + second) }
      const ends = { noun: 'license_key_instance', expected: one, row: one, ends: true } as const
      const back = { noun: 'license_key', expected: used.updatedAt, row: freed } as const
      expect(await commit(back, ends)).toBe('committed')
      expect(await instances(scope, filter, page)).toEqual([])
      expect(await commit(back, ends)).toBe('moved')
    })
  })
}
