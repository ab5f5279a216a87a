import { afterAll, beforeAll, expect, it } from 'vitest'
import { importCharges } from '../../../src/operations/charges/import-charges.ts'
import { businesses } from '../../../src/parts/store/postgres/catalog/businesses.ts'
import { charges } from '../../../src/parts/store/postgres/catalog/charges.ts'
import type { FeeRow } from '../../../src/rules/commerce/charges/fee-table.ts'
import type { TaxRow } from '../../../src/rules/commerce/charges/tax-table.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { scratchStore } from '../../support/store/scratch-store.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const needs = () => ({ changes: store.changes, businesses: businesses(store.db) })

const german: TaxRow = { country: 'DE', region: null, category: null, rate: 190_000 }
const books: TaxRow = { ...german, category: 'e_book', rate: 70_000 }
const californian: TaxRow = { country: 'US', region: 'CA', category: 'saas', rate: 88_750 }
const card: FeeRow = { kind: 'payment', currency: 'USD', basisPoints: 290, fixed: 30 }

it('puts a table in place of the one before, of one business alone', async () => {
  const [{ businessId }, other] = [await store.business(), await store.business()]
  const taxes = (rows: readonly TaxRow[], of = businessId) =>
    importCharges(needs(), { noun: 'tax_table', expected: null, row: { businessId: of, rows } })
  const fees = (rows: readonly FeeRow[]) =>
    importCharges(needs(), { noun: 'fee_table', expected: null, row: { businessId, rows } })
  const read = charges(store.db)

  await taxes([german, books, californian])
  await taxes([german], other.businessId)
  expect(await read.taxes(businessId, 'DE')).toEqual([german, books])
  expect(await read.taxes(businessId, 'US')).toEqual([californian])
  expect(await read.taxes(businessId, 'FR')).toEqual([])
  await taxes([books])
  expect(await read.taxes(businessId, 'DE')).toEqual([books])
  expect(await read.taxes(businessId, 'US')).toEqual([])
  await taxes([])
  expect(await read.taxes(businessId, 'DE')).toEqual([])
  expect(await read.taxes(other.businessId, 'DE')).toEqual([german])

  expect(await read.fees(businessId)).toEqual([])
  await fees([card, { ...card, currency: null, fixed: 0 }])
  expect(await read.fees(businessId)).toEqual([{ ...card, currency: null, fixed: 0 }, card])
  expect(await read.fees(other.businessId)).toEqual([])
})

it('is whole when two come at once, and refuses a business that is none', async () => {
  const { businessId } = await store.business()
  const tables = [[german, books], [californian]]
  await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      importCharges(needs(), {
        noun: 'tax_table',
        expected: null,
        row: { businessId, rows: tables[n % 2] ?? [] },
      }),
    ),
  )
  const read = charges(store.db)
  const both = [...(await read.taxes(businessId, 'DE')), ...(await read.taxes(businessId, 'US'))]
  expect(tables).toContainEqual(both)
  const row = { businessId: 'bus_none', rows: [] }
  const nobody = { noun: 'tax_table', expected: null, row } as const
  await expect(importCharges(needs(), nobody)).rejects.toThrow('no business')
})
