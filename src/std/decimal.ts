import assert from 'node:assert/strict'

declare const unit: unique symbol

/** An exact decimal as a whole count of 10^-scale. Quantities of different units do not mix. */
export type Quantity<Unit extends string> = bigint & { readonly [unit]: Unit }

const powers: bigint[] = [1n]

/** 10^n. */
export function powerOfTen(n: number): bigint {
  assert(Number.isSafeInteger(n) && n >= 0)
  for (let next = powers.length; next <= n; next += 1) powers.push((powers[next - 1] ?? 1n) * 10n)
  return powers[n] ?? 1n
}

const plain = /^(-)?(\d+)(?:\.(\d+))?$/

/**
 * Reads a plain decimal (`-?digits[.digits]`, no exponent, no plus, no blanks) as a count of
 * 10^-scale. Null when it is not one, or when it has more fractional digits than `scale`, zeros at
 * the end aside.
 */
export function parseDecimal(text: string, scale: number): bigint | null {
  const match = plain.exec(text)
  if (match === null) return null
  const [, sign, whole = '', fraction = ''] = match
  const digits = fraction.length > scale ? trimZeros(fraction) : fraction
  if (digits.length > scale) return null
  const value = BigInt(whole + digits) * powerOfTen(scale - digits.length)
  return sign === undefined ? value : -value
}

function trimZeros(fraction: string): string {
  let end = fraction.length
  while (end > 0 && fraction[end - 1] === '0') end -= 1
  return fraction.slice(0, end)
}

/** In plain notation: no exponent, no trailing zeros, no `-0`. [requests#numbers] */
export function formatDecimal(value: bigint, scale: number): string {
  const negative = value < 0n
  const digits = (negative ? -value : value).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = trimZeros(digits.slice(digits.length - scale))
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** a ÷ b, cut towards zero, which is what bigint division does. */
export function divideTruncated(a: bigint, b: bigint): bigint {
  assert(b !== 0n)
  return a / b
}

export const smallerOf = <T extends bigint>(a: T, b: T): T => (a <= b ? a : b)
export const largerOf = <T extends bigint>(a: T, b: T): T => (a >= b ? a : b)
export const absolute = (a: bigint): bigint => (a < 0n ? -a : a)
