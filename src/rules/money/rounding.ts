import assert from 'node:assert/strict'
import { divideTruncated } from '../../std/decimal.ts'

/**
 * a × b ÷ c, rounded half away from zero, which is half up where nothing is negative. The product
 * may be as large as it likes; the result is a whole number of smallest units again.
 * [resources#money]
 */
export function scaled(a: number, b: number, c: number): number {
  assert(Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(c) && c > 0)
  const [product, divisor] = [BigInt(a) * BigInt(b), BigInt(c)]
  const half = product < 0n ? -divisor : divisor
  const rounded = Number(divideTruncated(2n * product + half, 2n * divisor))
  assert(Number.isSafeInteger(rounded), 'An amount of money grows beyond what is exact.')
  return rounded
}
