import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencies } from '../../../src/rules/commerce/currency.ts'
import { allocated } from '../../../src/rules/money/allocation.ts'
import { decimalsOf } from '../../../src/rules/money/currency-decimals.ts'
import {
  asMoney,
  fullUnits,
  majorUnits,
  minusMoney,
  moneyOf,
  noMoney,
  plusMoney,
  totalMoney,
} from '../../../src/rules/money/money.ts'
import { percentOf, prorated } from '../../../src/rules/money/proration.ts'
import { scaled } from '../../../src/rules/money/rounding.ts'
import { taxAdded, taxIncluded } from '../../../src/rules/money/tax-split.ts'
import { runs } from '../../support/run/runs.ts'
import { fraction, nearest, slowShares } from './slow.ts'

const amount = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const small = fc.integer({ min: 0, max: 60 })
const currency = fc.constantFrom(...currencies)
const rate = fc.integer({ min: 0, max: 1_000_000 })

describe('currencies', () => {
  it('have no decimals, three, or else two', () => {
    const having = (digits: number) => currencies.filter((code) => decimalsOf(code) === digits)
    const none = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'
    expect(having(0).join(' ')).toBe(none)
    expect(having(3).join(' ')).toBe('BHD IQD JOD KWD LYD OMR TND')
    expect(having(2)).toHaveLength(currencies.length - 23)
  })

  it('have those that the platform says, but where nobody uses the coins any more', () => {
    const platform = (code: string) =>
      new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
    const differing = currencies.filter(
      (code) => platform(code).maximumFractionDigits !== decimalsOf(code),
    )
    const unused = [
      'ALL',
      'COP',
      'HUF',
      'IDR',
      'IQD',
      'LAK',
      'LBP',
      'MMK',
      'PKR',
      'SLL',
      'SOS',
      'YER',
    ]
    expect(differing.filter((code) => !unused.includes(code))).toEqual([])
  })

  it.each([
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['MGA', 0],
    ['MRU', 2],
  ] as const)('%s has %i', (code, digits) => expect(decimalsOf(code)).toBe(digits))
})

describe('money [resources#money]', () => {
  it('is written and read in major units', () => {
    expect(majorUnits(asMoney(1_050, 'USD'))).toBe('10.5')
    expect(majorUnits(asMoney(1_050, 'JPY'))).toBe('1050')
    expect(majorUnits(asMoney(-1, 'KWD'))).toBe('-0.001')
    expect(fullUnits(asMoney(1_190, 'USD'))).toBe('11.90')
    expect(fullUnits(asMoney(-1_100, 'USD'))).toBe('-11.00')
    expect(fullUnits(asMoney(1_050, 'JPY'))).toBe('1050')
    expect(fullUnits(asMoney(10, 'KWD'))).toBe('0.010')
    expect(moneyOf('10.50', 'USD')).toEqual(asMoney(1_050, 'USD'))
    expect(moneyOf('0.5', 'JPY')).toBeNull()
    expect(moneyOf('1e3', 'USD')).toBeNull()
    expect(moneyOf('90071992547409.92', 'USD')).toBeNull()
    fc.assert(
      fc.property(fc.maxSafeInteger(), currency, (units, code) => {
        expect(moneyOf(majorUnits(asMoney(units, code)), code)).toEqual(asMoney(units, code))
      }),
    )
  })

  it('adds up within one currency alone', () => {
    const [a, b] = [asMoney(7, 'EUR'), asMoney(12, 'EUR')]
    expect(minusMoney(plusMoney(a, b), b)).toEqual(a)
    expect(totalMoney([a, b, b], 'EUR')).toEqual(asMoney(31, 'EUR'))
    expect(totalMoney([], 'EUR')).toEqual(noMoney('EUR'))
    expect(Object.is(minusMoney(a, a).amount, 0)).toBe(true)
    expect(() => plusMoney(a, asMoney(1, 'USD'))).toThrow('no sum of EUR and USD')
    expect(() => asMoney(0.5, 'USD')).toThrow('whole number')
    expect(() => plusMoney(asMoney(Number.MAX_SAFE_INTEGER, 'EUR'), a)).toThrow('whole number')
  })
})

describe('rounding', () => {
  it('is to the nearest, halves away from zero, however large the product', () => {
    const any = fc.maxSafeInteger()
    const divisor = fc.integer({ min: 1, max: 2 ** 40 })
    fc.assert(
      fc.property(any, any, divisor, (a, b, c) => {
        const exact = nearest(fraction(BigInt(a) * BigInt(b), c))
        if (exact > Number.MAX_SAFE_INTEGER || exact < Number.MIN_SAFE_INTEGER) {
          expect(() => scaled(a, b, c)).toThrow('beyond what is exact')
        } else expect(BigInt(scaled(a, b, c))).toBe(exact)
      }),
    )
    expect([scaled(1, 1, 2), scaled(-1, 1, 2), scaled(1, 1, 3), scaled(2, 1, 3)]).toEqual([
      1, -1, 0, 1,
    ])
  })

  it('of percentages is half up', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (units, points) => {
        const part = percentOf(units, points)
        expect(BigInt(part)).toBe(nearest(fraction(BigInt(units) * BigInt(points), 10_000)))
        expect(part).toBeLessThanOrEqual(units)
      }),
    )
    expect([percentOf(1_000, 540), percentOf(999, 540), percentOf(50, 100)]).toEqual([54, 54, 1])
    expect([percentOf(777, 10_000), percentOf(777, 0)]).toEqual([777, 0])
  })
})

describe('shares', () => {
  it('lose and make no unit, and are those of the slow way', () => {
    const lines = fc.array(small, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(lines, fc.integer({ min: 0, max: 400 }), (amounts, total) => {
        const sum = amounts.reduce((all, each) => all + each, 0)
        fc.pre(sum > 0 || total === 0)
        const shares = allocated(total, amounts)
        expect(shares.map(BigInt)).toEqual(slowShares(total, amounts))
        expect(shares.reduce((all, share) => all + share, 0)).toBe(total)
        if (total > sum) return
        for (const [index, share] of shares.entries()) {
          expect(share).toBeLessThanOrEqual(amounts[index] ?? -1)
        }
      }),
      runs(500),
    )
  })

  it('of large amounts differ from their part by less than there are lines', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), amount, (amounts, total) => {
        const sum = amounts.reduce((all, each) => all + each, 0)
        fc.pre(sum > 0)
        const shares = allocated(total, amounts)
        expect(shares.reduce((all, share) => all + share, 0)).toBe(total)
        for (const [index, share] of shares.entries()) {
          const exact = BigInt(total) * BigInt(amounts[index] ?? 0)
          const off = BigInt(share) * BigInt(sum) - exact
          expect(off > -BigInt(sum) && off < BigInt(sum) * BigInt(amounts.length)).toBe(true)
        }
      }),
    )
  })

  it('leave what remains to the largest line, the first among equals', () => {
    expect(allocated(100, [1, 1, 1])).toEqual([34, 33, 33])
    expect(allocated(10, [3, 7, 3])).toEqual([2, 6, 2])
    expect(allocated(2, [1, 1, 1])).toEqual([1, 1, 0])
    expect(allocated(0, [0, 0])).toEqual([0, 0])
    expect(allocated(5, [0, 5])).toEqual([0, 5])
    expect(() => allocated(1, [0, 0])).toThrow('share it by')
    expect(() => allocated(1, [])).toThrow('share it by')
    expect(() => allocated(-1, [1])).toThrow('not negative')
  })
})

describe('a part of the time', () => {
  it('costs its part, rounded half up', () => {
    const time = fc.integer({ min: 1, max: 400 * 86_400_000_000 })
    fc.assert(
      fc.property(amount, time, time, (units, a, b) => {
        const [part, whole] = [Math.min(a, b), Math.max(a, b)]
        const cost = prorated(units, part, whole)
        expect(BigInt(cost)).toBe(nearest(fraction(BigInt(units) * BigInt(part), whole)))
      }),
    )
    expect([prorated(3_000, 10, 30), prorated(1, 1, 2), prorated(9, 0, 5)]).toEqual([1_000, 1, 0])
    expect(() => prorated(1, 2, 1)).toThrow('within it')
  })
})

describe('tax', () => {
  it('is added to an amount without it', () => {
    fc.assert(
      fc.property(amount, rate, (net, millionths) => {
        const { tax, gross, net: same } = taxAdded(net, millionths)
        expect(BigInt(tax)).toBe(nearest(fraction(BigInt(net) * BigInt(millionths), 1_000_000)))
        expect([same, gross]).toEqual([net, net + tax])
      }),
    )
    expect(taxAdded(1_000, 190_000)).toEqual({ net: 1_000, tax: 190, gross: 1_190 })
    expect(taxAdded(1_000, 88_750)).toEqual({ net: 1_000, tax: 89, gross: 1_089 })
  })

  it('is found within an amount that has it', () => {
    fc.assert(
      fc.property(amount, rate, (gross, millionths) => {
        const { net, tax, gross: same } = taxIncluded(gross, millionths)
        // gross = net × (1 + rate), so the exact net is gross ÷ (1 + rate).
        const exact = nearest(fraction(BigInt(gross) * BigInt(millionths), 1_000_000 + millionths))
        expect([BigInt(tax), same, net]).toEqual([exact, gross, gross - tax])
      }),
    )
    expect(taxIncluded(1_190, 190_000)).toEqual({ net: 1_000, tax: 190, gross: 1_190 })
    expect(taxIncluded(1_000, 0)).toEqual({ net: 1_000, tax: 0, gross: 1_000 })
  })

  it('of what it was added to is the same when it is included', () => {
    fc.assert(
      fc.property(amount, rate, (net, millionths) => {
        const { gross, tax } = taxAdded(net, millionths)
        expect(Math.abs(taxIncluded(gross, millionths).tax - tax)).toBeLessThanOrEqual(1)
      }),
    )
  })
})
