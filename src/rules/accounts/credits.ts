import type { Quantity } from '../../std/decimal.ts'
import { absolute, formatDecimal, largerOf, parseDecimal, smallerOf } from '../../std/decimal.ts'

/**
 * An amount of the unit that a business sells, as an exact count of 10^-precision of one credit.
 */
export type Credits = Quantity<'credits'>

export const credits = (scaled: bigint): Credits => scaled as Credits
export const noCredits = credits(0n)

export const plus = (a: Credits, b: Credits): Credits => credits(a + b)
export const minus = (a: Credits, b: Credits): Credits => credits(a - b)
export const smaller = (a: Credits, b: Credits): Credits => smallerOf(a, b)
export const larger = (a: Credits, b: Credits): Credits => largerOf(a, b)
export const sizeOf = (a: Credits): Credits => credits(absolute(a))
export const sum = (all: Iterable<Credits>): Credits => {
  let total = 0n
  for (const each of all) total += each
  return credits(total)
}

/** Null when the text is no plain decimal or has more digits than `precision`. */
export function parseCredits(text: string, precision: number): Credits | null {
  const value = parseDecimal(text, precision)
  return value === null ? null : credits(value)
}

export const formatCredits = (value: Credits, precision: number): string =>
  formatDecimal(value, precision)
