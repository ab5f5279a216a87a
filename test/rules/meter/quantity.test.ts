import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  explainQuantity,
  plainText,
  readQuantity,
  scaledQuantity,
} from '../../../src/rules/meter/quantity.ts'
import { compareRational, rational } from '../../model/rational.ts'
import { modelQuantity } from '../../model/usage.ts'
import { runs } from '../../support/run/runs.ts'

const scaled = (value: unknown): bigint | null => {
  const quantity = readQuantity(value)
  return quantity === null ? null : scaledQuantity(quantity)
}

const one = 10n ** 18n

describe('values to aggregate [meters#quantities]', () => {
  it('reads JSON numbers as their shortest decimal text', () => {
    expect(scaled(0.1)).toBe(one / 10n)
    expect(scaled(0.1 + 0.2)).toBe(300_000_000_000_000_040n)
    expect(scaled(1e-7)).toBe(10n ** 11n)
    expect(scaled(1.5e-10)).toBe(15n * 10n ** 7n)
    expect(scaled(1e-18)).toBe(1n)
    expect(scaled(-2.5)).toBe(-25n * 10n ** 17n)
  })

  it('reads plain decimals as text, and no other text', () => {
    expect(scaled('1500')).toBe(1_500n * one)
    expect(scaled('-0012.50')).toBe((-25n * one) / 2n)
    expect(scaled(`${'9'.repeat(20)}.${'9'.repeat(18)}`)).toBe(10n ** 38n - 1n)
    const wrong = ['', '-', '.5', '5.', '+5', '1e3', ' 5', '5 ', '5\n', '1,000', '0x5', 'NaN', '٣']
    for (const text of wrong) expect(scaled(text)).toBe(null)
  })

  it('takes what needs more than 20.18 digits for not numeric', () => {
    const wrong = [1e20, 1e21, 1e300, 1e-19, 5e-324, 1.5e-18, '1'.repeat(21), `0.${'1'.repeat(19)}`]
    for (const value of wrong) expect(scaled(value)).toBe(null)
  })

  it('takes anything else for not numeric', () => {
    for (const value of [undefined, null, true, [], [1], {}, Number.NaN, Number.NEGATIVE_INFINITY])
      expect(scaled(value)).toBe(null)
  })

  it('keeps safe integers as numbers, however they were written, and never −0', () => {
    expect(readQuantity(7)).toBe(7)
    expect(readQuantity('7.00')).toBe(7)
    expect(Object.is(readQuantity(-0), 0)).toBe(true)
    expect(Object.is(readQuantity('-0'), 0)).toBe(true)
    expect(Object.is(readQuantity('-0.0'), 0)).toBe(true)
    expect(readQuantity('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
    expect(readQuantity('9007199254740993')).toBe(9_007_199_254_740_993n * one)
  })

  it('agrees with fractions on every number and text', () => {
    const digits = fc.stringMatching(/^-?\d{0,22}(\.\d{0,20})?$/)
    fc.assert(
      fc.property(
        fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), digits, fc.string()),
        (value) => {
          expect(scaled(value)).toBe(modelQuantity(value))
        },
      ),
      runs(3_000),
    )
  })
})

describe('plain text of a number', () => {
  it('has no exponent and the same value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = plainText(value)
        expect(text).toMatch(/^-?\d+(\.\d+)?$/)
        const [plain, shortest] = [rational(text), rational(String(value))]
        expect(plain !== null && shortest !== null && compareRational(plain, shortest)).toBe(0)
      }),
    )
  })
})

describe('explaining a quantity', () => {
  it('gives it, or says why the event contributes nothing', () => {
    expect(explainQuantity({ n: '2' }, 'n')).toEqual({ ok: true, quantity: 2n * one })
    const reasons: readonly (readonly [Record<string, unknown> | null, RegExp])[] = [
      [null, /is not there/],
      [{}, /is not there/],
      [{ n: 1e21 }, /more than 20 digits/],
      [{ n: 'abc' }, /not a plain decimal/],
      [{ n: null }, /is null/],
      [{ n: [1] }, /is an array/],
      [{ n: { a: 1 } }, /is an object/],
      [{ n: true }, /is a boolean/],
    ]
    for (const [metadata, reason] of reasons) {
      const told = explainQuantity(metadata, 'n')
      expect(told.ok ? '' : told.reason).toMatch(reason)
    }
  })
})

describe('the bounds of quantities [meters#quantities]', () => {
  it('are 20 digits before and 18 after the point, in text and in numbers', () => {
    for (const value of [1e20, -1e20, 1e300, 9e-19, 1e-19, Number.POSITIVE_INFINITY, Number.NaN]) {
      expect(readQuantity(value)).toBeNull()
    }
    expect(readQuantity(1e19)).toBe(10n ** 37n)
    expect(readQuantity(1e-18)).toBe(1n)
    expect(readQuantity('999999999999999')).toBe(999_999_999_999_999)
    expect(readQuantity('9007199254740993')).toBe(9_007_199_254_740_993n * 10n ** 18n)
    expect(readQuantity('5.000')).toBe(5)
  })

  it('are told apart from what is no number', () => {
    const needs =
      "The property 'x' needs more than 20 digits before or 18 digits after the decimal point."
    const plain = "The property 'x' is text that is not a plain decimal such as -12.5."
    const why = (x: string | number) => {
      const told = explainQuantity({ x }, 'x')
      return told.ok ? null : told.reason
    }
    for (const text of ['123456789012345678901', '-0.1234567890123456789', 1e21, 1e-19]) {
      expect(why(text)).toBe(needs)
    }
    for (const text of ['x1', '1x', '1.', '.5', '1.x', '1e5']) expect(why(text)).toBe(plain)
  })

  it('are spelled without an exponent', () => {
    expect([1.5e21, -1.5e21, 1e21, 1.25e-7, -1e-7, 123, 0.5].map(plainText)).toEqual([
      ...['1500000000000000000000', '-1500000000000000000000', '1000000000000000000000'],
      ...['0.000000125', '-0.0000001', '123', '0.5'],
    ])
  })
})
