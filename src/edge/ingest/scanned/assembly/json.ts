// What the scanner knows of JSON's bytes. A position is the address of a byte; `unusual` in place of
// one says that the text is none that the scanner takes. Behind the last byte of a body stands a 0,
// which JSON never holds: so nothing runs beyond it.
import { wordBytes } from './memory.ts'

export const unusual: usize = 0

export const quote: u8 = 34
export const comma: u8 = 44
export const minusSign: u8 = 45
export const point: u8 = 46
export const zero: u8 = 48
export const nine: u8 = 57
export const colon: u8 = 58
export const openList: u8 = 91
export const backslash: u8 = 92
export const closeList: u8 = 93
export const openObject: u8 = 123
export const closeObject: u8 = 125

export function byteAt(at: usize): u8 {
  return load<u8>(at)
}

export function isBlank(byte: u8): bool {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

export function isDigit(byte: u8): bool {
  return byte >= zero && byte <= nine
}

/** The first position from `from` on that is no blank. */
export function afterBlanks(from: usize): usize {
  let at = from
  while (isBlank(byteAt(at))) at += 1
  return at
}

/** Where the value begins whose key ends before `from`. */
export function valueAfter(from: usize): usize {
  const at = afterBlanks(from)
  return byteAt(at) === colon ? afterBlanks(at + 1) : unusual
}

/** Whether a word of at most sixteen bytes stands at a position. */
export function standsAt(word: usize, at: usize): bool {
  const all: i32 = (1 << (<i32>wordBytes(word))) - 1
  return (i8x16.bitmask(i8x16.eq(v128.load(word + 4), v128.load(at))) & all) === all
}

/** The first byte from `from` on that no text holds as itself: a quote, a backslash, a control. */
function specialFrom(from: usize): usize {
  let at = from
  let found = specialIn(v128.load(at))
  while (found === 0) {
    at += 16
    found = specialIn(v128.load(at))
  }
  return at + <usize>ctz<i32>(found)
}

/** A bit for each of sixteen bytes. */
function specialIn(bytes: v128): i32 {
  const quotes = i8x16.eq(bytes, i8x16.splat(<i8>quote))
  const backslashes = i8x16.eq(bytes, i8x16.splat(<i8>backslash))
  const controls = i8x16.lt_u(bytes, i8x16.splat(0x20))
  return i8x16.bitmask(v128.or(v128.or(quotes, backslashes), controls))
}

/** The position of the closing quote of the text whose first byte is at `from`; no escapes. */
export function plainTextEnd(from: usize): usize {
  const at = specialFrom(from)
  return byteAt(at) === quote ? at : unusual
}

/** The same, with the escapes that JSON.stringify would write just so. */
export function textEnd(from: usize): usize {
  let at = specialFrom(from)
  while (byteAt(at) === backslash && isOneLetter(byteAt(at + 1))) at = specialFrom(at + 2)
  return byteAt(at) === quote ? at : unusual
}

/** What JSON.stringify escapes by one letter: `"`, `\`, and b, f, n, r, t. */
function isOneLetter(byte: u8): bool {
  if (byte === quote || byte === backslash) return true
  return byte === 98 || byte === 102 || byte === 110 || byte === 114 || byte === 116
}

/**
 * So many decimal digits come back from a double as they were, and make no integer that is rounded.
 */
const digitsMax: usize = 15

/** A smaller one is written with an exponent: 1e-7. */
const leadingZerosMax: usize = 5

/**
 * Where a number ends that is written as JSON.stringify writes it, so that its bytes can be kept:
 * without an exponent, a zero at its end, or more digits than a double holds.
 */
export function numberEnd(from: usize): usize {
  const whole = byteAt(from) === minusSign ? from + 1 : from
  const dot = digitsEnd(whole)
  const isZero = byteAt(whole) === zero
  if (dot === whole || dot - whole > digitsMax || (isZero && dot > whole + 1)) return unusual
  if (byteAt(dot) !== point) return isZero && whole > from ? unusual : dot
  const end = digitsEnd(dot + 1)
  const digits = end - whole - 1
  if (end === dot + 1 || digits > digitsMax || byteAt(end - 1) === zero) return unusual
  return isZero && zerosFrom(dot + 1) > leadingZerosMax ? unusual : end
}

function digitsEnd(from: usize): usize {
  let at = from
  while (isDigit(byteAt(at))) at += 1
  return at
}

function zerosFrom(from: usize): usize {
  let at = from
  while (byteAt(at) === zero) at += 1
  return at - from
}
