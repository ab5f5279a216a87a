import { formatDecimal, parseDecimal } from '../../../std/decimal.ts'
import type { Rejection } from './rejection.ts'
import { invalid } from './rejection.ts'

/** More fractional digits than any decimal of the API may have. [requests#numbers] */
const scaleMax = 28

/**
 * Removes trailing and leading zeros: the form in which decimals are stored and answered.
 * [requests#numbers]
 */
export function plainDecimal(text: string): string {
  const value = parseDecimal(text, scaleMax)
  return value === null ? text : formatDecimal(value, scaleMax)
}

export const plainDecimalOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : plainDecimal(text)

/** The same for a field that may be absent. */
export const plainDecimalIfSent = (text: string | null | undefined): string | null | undefined =>
  text === undefined ? undefined : plainDecimalOrNull(text)

/**
 * An amount of credits must not be finer than the credits' precision. [resources#attached-credits]
 */
export function precisionRejection(
  amount: string | null,
  precision: number,
  where: string,
): Rejection | null {
  if (amount === null || parseDecimal(amount, precision) !== null) return null
  return invalid(`${where} must have at most ${precision} decimals, the credit's precision.`)
}
