import { byteAt, signs, unusual } from './bytes.ts'

/**
 * So many decimal digits come back from a double as they were, and make no integer that is rounded.
 */
const digitsMax = 15

/** A smaller one is written with an exponent: 1e-7. */
const leadingZerosMax = 5

/**
 * Where a number ends that is written as JSON.stringify writes it, so that its bytes can be kept:
 * without an exponent, a zero at its end, or more digits than a double holds.
 */
export function numberEnd(bytes: Uint8Array, from: number): number {
  const whole = byteAt(bytes, from) === signs.minus ? from + 1 : from
  const point = digitsEnd(bytes, whole)
  const isZero = byteAt(bytes, whole) === signs.zero
  if (point === whole || point - whole > digitsMax || (isZero && point > whole + 1)) return unusual
  if (byteAt(bytes, point) !== signs.point) return isZero && whole > from ? unusual : point
  const end = digitsEnd(bytes, point + 1)
  const digits = end - whole - 1
  if (end === point + 1 || digits > digitsMax || bytes[end - 1] === signs.zero) return unusual
  return isZero && zerosFrom(bytes, point + 1) > leadingZerosMax ? unusual : end
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (isDigit(byteAt(bytes, at))) at += 1
  return at
}

export const isDigit = (byte: number): boolean => byte >= signs.zero && byte <= signs.nine

function zerosFrom(bytes: Uint8Array, from: number): number {
  let at = from
  while (byteAt(bytes, at) === signs.zero) at += 1
  return at - from
}
