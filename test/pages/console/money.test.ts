import { describe, expect, it } from 'vitest'
import {
  decimalsIn,
  majorText,
  minorUnits,
  shownMoney,
} from '../../../src/pages/console/app/money.ts'
import { currencies } from '../../../src/rules/commerce/currency.ts'
import { decimalsOf } from '../../../src/rules/money/currency-decimals.ts'

describe('amounts in the console', () => {
  it('have the decimals that the server counts, whatever the browser knows of the currency', () => {
    for (const currency of currencies) {
      const decimals = decimalsOf(currency)
      expect([currency, decimalsIn(currency)]).toEqual([currency, decimals])
      expect([currency, shownMoney(123_456, currency).replaceAll(/\D/g, '')]).toEqual([
        currency,
        '123456',
      ])
      const text = majorText(123_456, currency)
      expect([currency, minorUnits(text, currency, 'It')]).toEqual([currency, 123_456])
    }
  })

  it('of forints are not a hundredfold', () => {
    expect(minorUnits('2990', 'HUF', 'The amount')).toBe(299_000)
    expect(shownMoney(299_000, 'HUF')).toContain('2,990.00')
    expect(() => minorUnits('12.345', 'HUF', 'The amount')).toThrow('12.50')
  })
})
