import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FeeRow } from '../../../../src/rules/commerce/charges/fee-table.ts'
import { feeOf } from '../../../../src/rules/commerce/charges/fee-table.ts'
import { isReverseCharged, taxNumberOf } from '../../../../src/rules/commerce/charges/tax-number.ts'
import type { TaxedSale, TaxRow } from '../../../../src/rules/commerce/charges/tax-table.ts'
import { taxRateOf } from '../../../../src/rules/commerce/charges/tax-table.ts'

const row = (country: 'US' | 'DE', rate: number, more: Partial<TaxRow> = {}): TaxRow => ({
  country,
  region: null,
  category: null,
  rate,
  ...more,
})

describe('the rate of a tax [resources#taxes]', () => {
  const table = [
    row('US', 1),
    row('US', 2, { category: 'saas' }),
    row('US', 3, { region: 'CA' }),
    row('US', 4, { region: 'CA', category: 'saas' }),
    row('DE', 190_000),
  ]

  it.each<[number, TaxedSale]>([
    [190_000, { country: 'DE', region: 'BE', category: 'saas' }],
    [1, { country: 'US', region: null, category: 'e_book' }],
    [2, { country: 'US', region: 'NY', category: 'saas' }],
    [3, { country: 'US', region: ' ca ', category: 'e_book' }],
    [4, { country: 'US', region: 'CA', category: 'saas' }],
    [0, { country: 'FR', region: null, category: 'saas' }],
  ])('is %i of %j', (rate, sale) => expect(taxRateOf(table, sale)).toBe(rate))

  it('comes from the nearest row, whatever their order', () => {
    const orders = fc.shuffledSubarray(table, { minLength: table.length })
    fc.assert(
      fc.property(orders, (shuffled) => {
        const sale = { country: 'US', region: 'CA', category: 'e_book' } as const
        expect(taxRateOf(shuffled, sale)).toBe(3)
      }),
    )
    expect(taxRateOf([], { country: 'US', region: null, category: 'saas' })).toBe(0)
  })
})

describe('a tax number', () => {
  it.each([
    ['DE', 'DE136695976', true],
    ['DE', 'de 136 695 976', true],
    ['DE', 'DE136695977', false],
    ['AT', 'ATU13585627', true],
    ['GR', 'EL094259216', true],
    ['GB', 'GB980780684', true],
    ['AU', '83 914 571 673', true],
    ['AU', '83 914 571 674', false],
    ['IN', '27AAPFU0939F1ZV', true],
    ['FR', '', false],
    ['FR', 'DE136695976', false],
    ['AQ', 'anything', false],
  ] as const)('%s %s: %s', (country, text, valid) => {
    expect(taxNumberOf(country, text).valid).toBe(valid)
  })

  it('has the names of its forms, or none where nobody knows them', () => {
    expect(taxNumberOf('DE', '').formats.length).toBeGreaterThan(0)
    expect(taxNumberOf('AQ', '').formats).toEqual([])
  })

  it('of another country than the seller’s, or of the EU, moves the tax to the buyer', () => {
    const [valid, wrong] = [true, false].map((each) => ({ formats: [], valid: each }))
    if (valid === undefined || wrong === undefined) throw new Error('No numbers.')
    expect(isReverseCharged(valid, 'DE', 'DE')).toBe(true)
    expect(isReverseCharged(valid, 'GB', 'US')).toBe(true)
    expect(isReverseCharged(valid, 'GB', null)).toBe(true)
    expect(isReverseCharged(valid, 'GB', 'GB')).toBe(false)
    expect(isReverseCharged(wrong, 'DE', 'US')).toBe(false)
  })
})

describe('a fee [resources#fees]', () => {
  const table: readonly FeeRow[] = [
    { kind: 'payment', currency: null, basisPoints: 400, fixed: 0 },
    { kind: 'payment', currency: 'USD', basisPoints: 290, fixed: 30 },
    { kind: 'dispute', currency: 'USD', basisPoints: 0, fixed: 1_500 },
  ]

  it.each([
    ['payment', 1_000, 'USD', 59],
    ['payment', 1_000, 'EUR', 40],
    ['dispute', 1_000, 'USD', 1_500],
    ['dispute', 1_000, 'EUR', 0],
    ['refund', 1_000, 'USD', 0],
  ] as const)('for a %s of %i %s is %i', (kind, amount, currency, fee) => {
    expect(feeOf(table, kind, { amount, currency })).toBe(fee)
  })
})
