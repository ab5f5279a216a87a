import { describe, expect, it } from 'vitest'
import type { Primitive } from '../../../src/rules/meter/operand.ts'
import { isEqual, operandOf, order } from '../../../src/rules/meter/operand.ts'

/** In rising order; those of one line are equal. */
const rising: readonly (readonly Primitive[])[] = [
  ['-12345678901234567890', '-12345678901234567890.0'],
  ['-12345678901234567889.5'],
  ['-9007199254740993'],
  [-9_007_199_254_740_992, '-9007199254740992'],
  ['-1.50', '-001.5', -1.5],
  ['-0.000000000000000001'],
  [0, '-0', '0.000000000000000000', '000000000000000000'],
  ['0.000000000000000001', 1e-18],
  ['0.1', 0.1, '0.100000000000000000'],
  ['0.100000000000000001'],
  ['100', 100, '00000000000000000100', '100.000000000000000'],
  ['1010'],
  ['9007199254740993'],
  ['9007199254740994', 9_007_199_254_740_994],
]

describe('numbers [meters#aggregation, meters#quantities]', () => {
  it('compare as what they are, of any size and however they are written', () => {
    for (const [index, values] of rising.entries()) {
      for (const [position, others] of rising.entries()) {
        for (const value of values) {
          for (const other of others) {
            // Adding 0 turns -0 into 0.
            const sign = Math.sign(order(value, operandOf(other))) + 0
            expect([value, other, sign]).toEqual([value, other, Math.sign(index - position)])
            expect(isEqual(value, operandOf(other))).toBe(index === position)
          }
        }
      }
    }
  })

  it('have no order with what is none', () => {
    for (const other of ['a', true, '1e2', '']) {
      expect(order(1, operandOf(other))).toBeNaN()
      expect(order(other, operandOf(1))).toBeNaN()
    }
  })
})

describe('what is no number', () => {
  it('is equal as a boolean, else as text', () => {
    expect(isEqual('true', operandOf(true))).toBe(true)
    expect(isEqual(true, operandOf('true'))).toBe(true)
    expect(isEqual('false', operandOf(false))).toBe(true)
    expect(isEqual(true, operandOf(false))).toBe(false)
    expect(isEqual(false, operandOf('true'))).toBe(false)
    expect(isEqual('True', operandOf(true))).toBe(false)
    expect(isEqual('yes', operandOf(true))).toBe(false)
    expect(isEqual(true, operandOf(1))).toBe(false)
    expect(isEqual('1e2', operandOf(100))).toBe(false)
    expect(isEqual('abc', operandOf('abc'))).toBe(true)
  })
})
