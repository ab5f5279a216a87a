import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CommitOutcome, RowChange } from '../../src/parts/store/changes.ts'
import { discounts } from '../../src/parts/store/postgres/catalog/discounts.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import type { Discount } from '../../src/rules/commerce/discounts/discount.ts'
import { changedDiscount, deletedDiscount } from '../../src/rules/commerce/discounts/discount.ts'
import { instantOf } from '../../src/std/instant.ts'
import { decidedAt as at, changeWith, loneFact } from '../support/store/decided.ts'
import { discountRowWith } from '../support/store/rows.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import type { StoreDriver } from './accounts.ts'

/** What every store promises of the uses of discounts that a change counts [machines#writers]. */
export function testDiscountUses(driver: StoreDriver): void {
  describe(`uses of discounts in ${driver.name}`, () => {
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

    async function made(fields: Partial<Discount> = {}): Promise<Discount> {
      const row = { ...discountRowWith(store.newId('dsc'), at), ...fields }
      expect(await commit({ noun: 'discount', expected: null, row })).toBe('committed')
      return row
    }

    const use = (
      { discountId, updatedAt: discountAsOf }: Discount,
      customerId: string,
      usedFor = store.newId('pay'),
    ): RowChange => ({
      noun: 'discount_use',
      expected: null,
      row: { discountId, usedFor, customerId, usedAt: at },
      held: false,
      discountAsOf,
    })

    const timesUsed = async ({ discountId }: Discount) =>
      (await discounts(store.db).get(scope, discountId))?.timesUsed

    const tally = (outcomes: readonly CommitOutcome[]) => [
      outcomes.filter((outcome) => outcome === 'committed').length,
      outcomes.filter((outcome) => outcome === 'moved').length,
    ]

    test('of 64 who want the last one, one gets it, and nothing else is written', async () => {
      const discount = await made({ usageLimit: 3, perCustomerUsageLimit: null })
      expect(await commit(use(discount, 'cus_1'))).toBe('committed')
      expect(await commit(use(discount, 'cus_2'))).toBe('committed')
      const processes = [store, ...Array.from({ length: 7 }, () => store.another())]
      const outcomes = await Promise.all(
        Array.from({ length: 64 }, (_, n) => {
          const rows = [use(discount, `cus_buyer_${n}`)]
          const facts = [loneFact(store.newId('msg'))]
          const change = { ...changeWith(scope, { rows, facts }), clockAhead: null }
          return (processes[n % processes.length] ?? store).changes.commit(change)
        }),
      )
      expect(tally(outcomes)).toEqual([1, 63])
      expect(await timesUsed(discount)).toBe(3)
      const [told] = await store.db.query(sql`
        select count(*) as facts from outbox where business_id = ${scope.businessId}`)
      expect(told).toEqual({ facts: 1 })
    })

    test('of many of one customer, as many are counted as the customer may have', async () => {
      const discount = await made({ usageLimit: null, perCustomerUsageLimit: 2 })
      const other = store.another()
      const outcomes = await Promise.all(
        Array.from({ length: 16 }, (_, n) => {
          const change = changeWith(scope, { rows: [use(discount, 'cus_1')] })
          return (n % 2 === 0 ? store : other).changes.commit({ ...change, clockAhead: null })
        }),
      )
      expect(tally(outcomes)).toEqual([2, 14])
      expect(await commit(use(discount, 'cus_2'))).toBe('committed')
      const by = (customerId: string) =>
        discounts(store.db).usesBy(scope, customerId, [discount.discountId, 'dsc_none'])
      expect(await by('cus_1')).toEqual(new Map([[discount.discountId, 2]]))
      expect(await by('cus_2')).toEqual(new Map([[discount.discountId, 1]]))
      expect(await by('cus_3')).toEqual(new Map())
    })

    test('without limits disturb nobody, and are all counted', async () => {
      const discount = await made({ usageLimit: null, perCustomerUsageLimit: null })
      const other = store.another()
      const outcomes = await Promise.all(
        Array.from({ length: 32 }, (_, n) => {
          const change = changeWith(scope, { rows: [use(discount, 'cus_1')] })
          return (n % 2 === 0 ? store : other).changes.commit({ ...change, clockAhead: null })
        }),
      )
      expect(tally(outcomes)).toEqual([32, 0])
      expect(await timesUsed(discount)).toBe(32)
    })

    test('count once for what they are for', async () => {
      const discount = await made({ usageLimit: null, perCustomerUsageLimit: null })
      expect(await commit(use(discount, 'cus_1', 'pay_1'))).toBe('committed')
      const before = await store.contents()
      expect(await commit(use(discount, 'cus_1', 'pay_1'))).toBe('moved')
      expect(await store.contents()).toBe(before)
    })

    test('of one change count together', async () => {
      const discount = await made({ usageLimit: 2, perCustomerUsageLimit: null })
      const second = await made({ usageLimit: 1, perCustomerUsageLimit: null })
      const three = [use(discount, 'a'), use(discount, 'b'), use(discount, 'c')]
      expect(await commit(...three)).toBe('moved')
      expect(await commit(use(second, 'a'), use(discount, 'a'), use(discount, 'b'))).toBe(
        'committed',
      )
      expect([await timesUsed(discount), await timesUsed(second)]).toEqual([2, 1])
      const own = await made({ usageLimit: null, perCustomerUsageLimit: 1 })
      expect(await commit(use(own, 'a'), use(own, 'a'))).toBe('moved')
    })

    test('are of the discount as it was loaded: not of a changed, deleted or unknown one', async () => {
      const discount = await made({ usageLimit: null, perCustomerUsageLimit: null })
      const later = instantOf(at + 5)
      const next = changedDiscount(discount, { usageLimit: 1 }, later)
      const expected = discount.updatedAt
      expect(await commit({ noun: 'discount', expected, row: next })).toBe('committed')
      expect(await commit(use(discount, 'cus_1'))).toBe('moved')
      expect(await commit(use(next, 'cus_1'))).toBe('committed')
      const gone = deletedDiscount(next, instantOf(at + 9))
      // That it was used meanwhile is no change of it, and the count stays.
      expect(await commit({ noun: 'discount', expected: later, row: gone })).toBe('committed')
      expect(await commit(use(gone, 'cus_2'))).toBe('moved')
      expect(await commit(use({ ...discount, discountId: 'dsc_none' }, 'cus_2'))).toBe('moved')
      const [row] = await store.db.query(sql`
        select times_used from discounts where discount_id = ${discount.discountId}`)
      expect(row).toEqual({ times_used: 1 })
      expect(await discounts(store.db).get(scope, discount.discountId)).toBeNull()
    })

    const held = (discount: Discount, customerId: string, usedFor: string): RowChange => {
      const taken = use(discount, customerId, usedFor)
      return taken.noun === 'discount_use' && taken.expected === null
        ? { ...taken, held: true }
        : taken
    }

    const settling = (
      { discountId }: Discount,
      usedFor: string,
      becomes: 'counted' | 'released',
    ): RowChange => ({
      noun: 'discount_use',
      expected: 'held',
      row: { discountId, usedFor, customerId: 'cus_1', usedAt: at },
      becomes,
    })

    test('that are held leave no room, and count or go as their payment does', async () => {
      const discount = await made({ usageLimit: 2, perCustomerUsageLimit: null })
      const counts = async () => {
        const found = await discounts(store.db).get(scope, discount.discountId)
        return [found?.timesUsed, found?.held]
      }
      expect(await commit(held(discount, 'cus_1', 'pay_1'))).toBe('committed')
      expect(await commit(held(discount, 'cus_2', 'pay_2'))).toBe('committed')
      expect(await counts()).toEqual([0, 2])
      expect(await commit(held(discount, 'cus_3', 'pay_3'))).toBe('moved')
      expect(await commit(use(discount, 'cus_3'))).toBe('moved')
      expect(await commit(settling(discount, 'pay_1', 'released'))).toBe('committed')
      expect(await counts()).toEqual([0, 1])
      expect(await commit(held(discount, 'cus_3', 'pay_3'))).toBe('committed')
      // A discount that was deleted since changes nothing of what was agreed.
      const expected = discount.updatedAt
      const gone = deletedDiscount(discount, instantOf(at + 9))
      expect(await commit({ noun: 'discount', expected, row: gone })).toBe('committed')
      expect(await commit(settling(discount, 'pay_2', 'counted'))).toBe('committed')
      const before = await store.contents()
      for (const becomes of ['counted', 'released'] as const) {
        expect(await commit(settling(discount, 'pay_2', becomes))).toBe('moved')
        expect(await commit(settling(discount, 'pay_none', becomes))).toBe('moved')
      }
      expect(await store.contents()).toBe(before)
      const [row] = await store.db.query(sql`
        select times_used, held from discounts where discount_id = ${discount.discountId}`)
      expect(row).toEqual({ times_used: 1, held: 1 })
    })

    test('a code is one discount’s at a time', async () => {
      const first = await made({ code: 'SUMMER' })
      const second = { ...discountRowWith(store.newId('dsc'), at), code: 'SUMMER' }
      const making = { noun: 'discount', expected: null, row: second } as const
      const before = await store.contents()
      expect(await commit(making)).toBe('taken')
      expect(await store.contents()).toBe(before)
      const other = await made({ code: 'WINTER' })
      const renamed = changedDiscount(other, { code: 'SUMMER' }, at)
      const expected = other.updatedAt
      expect(await commit({ noun: 'discount', expected, row: renamed })).toBe('taken')
      const gone = deletedDiscount(first, at)
      expect(await commit({ noun: 'discount', expected: first.updatedAt, row: gone })).toBe(
        'committed',
      )
      expect(await commit(making)).toBe('committed')
      expect(await discounts(store.db).withCode(scope, 'SUMMER')).toEqual(second)
    })
  })
}
