import { describe, expect, it } from 'vitest'
import { shownDecimal } from '../../src/wire/credit-ledger-entry.ts'

describe('decimals of the store', () => {
  it.each([
    ['0', '0'],
    ['0.000', '0'],
    ['-0.0', '0'],
    ['100', '100'],
    ['2.500', '2.5'],
    ['-12.0340', '-12.034'],
    ['0.0000000000000000000000000001', '0.0000000000000000000000000001'],
    ['123456789012345678901234567890.10', '123456789012345678901234567890.1'],
  ])('%s reads %s', (stored, shown) => {
    expect(shownDecimal(stored)).toBe(shown)
  })

  it('are nothing else', () => {
    expect(() => shownDecimal('NaN')).toThrow('plain decimal')
  })
})
