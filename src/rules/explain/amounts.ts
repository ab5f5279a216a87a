import { limits } from '../../limits.ts'
import { formatDecimal, parseDecimal } from '../../std/decimal.ts'

/** Credits as the store writes them, counted in 10^-10: no entitlement is finer. */
export function amountOf(text: string): bigint {
  const value = parseDecimal(text, limits.precisionMax)
  if (value === null) throw new Error('The store holds credits that cannot be read.')
  return value
}

/** Plain notation, without trailing zeros. */
export const amountText = (value: bigint): string => formatDecimal(value, limits.precisionMax)

/** The same amount in plain notation. */
export const plain = (text: string): string => amountText(amountOf(text))

/** `10 − 2.5 = 7.5`, or with a plus. */
export function stepText(before: string, after: string): string {
  const change = amountOf(after) - amountOf(before)
  const size = amountText(change < 0n ? -change : change)
  return `${plain(before)} ${change < 0n ? '−' : '+'} ${size} = ${plain(after)}`
}
