import { limits } from '../../limits.ts'
import { parseDecimal, powerOfTen } from '../../std/decimal.ts'
import type { Usage } from './route.ts'
import { usage } from './route.ts'
import type { Metadata } from './usage-event.ts'
import { propertyOf } from './usage-event.ts'

/**
 * The texts that are quantities; there are no others, so that every reader agrees.
 * [meters#quantities]
 */
export const quantityPattern = /^-?\d{1,20}(?:\.\d{1,18})?$/

const one = powerOfTen(limits.usageScale)

/**
 * Reads a value to aggregate. A safe integer comes back as it is, because most quantities are safe
 * integers and doubles add them exactly. Any other quantity comes back as a bigint scaled by 10^18.
 * Null when it is not numeric: such an event adds nothing. [meters#quantities]
 */
export function readQuantity(value: unknown): number | bigint | null {
  // Adding 0 turns -0, which JSON can write, into 0.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : readNumber(value)
  return typeof value === 'string' ? readText(value) : null
}

function readNumber(value: number): number | bigint | null {
  if (!Number.isFinite(value)) return null
  const magnitude = Math.abs(value)
  // Outside of these two bounds only zero has so few digits, so the rest need not be spelled out.
  if (magnitude >= 1e20 || magnitude < 1e-18) return null
  return readText(plainText(value))
}

function readText(text: string): number | bigint | null {
  if (!quantityPattern.test(text)) return null
  if (text.length <= 15 && !text.includes('.')) return Number(text) + 0
  const scaled = parseDecimal(text, limits.usageScale)
  if (scaled === null || scaled % one !== 0n) return scaled
  const whole = Number(scaled / one)
  return Number.isSafeInteger(whole) ? whole : scaled
}

/** A result of `readQuantity` in the scale of all usage, 10^18. */
export const scaledQuantity = (quantity: number | bigint): Usage =>
  usage(typeof quantity === 'bigint' ? quantity : BigInt(quantity) * one)

const exponential = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/

/** The shortest plain decimal text, without an exponent, that reads back as this finite number. */
export function plainText(value: number): string {
  const text = String(value)
  const match = exponential.exec(text)
  if (match === null) return text
  const [, sign = '', lead = '', fraction = '', exponent = ''] = match
  const digits = lead + fraction
  const point = 1 + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return `${sign}${digits.padEnd(point, '0')}`
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

export type QuantityExplanation =
  | { readonly ok: true; readonly quantity: Usage }
  | { readonly ok: false; readonly reason: string }

/** Like `readQuantity` of the property `key`, with the reason when it adds nothing. */
export function explainQuantity(metadata: Metadata | null, key: string): QuantityExplanation {
  const value = propertyOf(metadata, key)
  const quantity = readQuantity(value)
  if (quantity !== null) return { ok: true, quantity: scaledQuantity(quantity) }
  return { ok: false, reason: `The property '${key}' ${whyNotNumeric(value)}` }
}

function whyNotNumeric(value: unknown): string {
  if (value === undefined) return 'is not there.'
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value)))
    return 'needs more than 20 digits before or 18 digits after the decimal point.'
  if (typeof value === 'string') return 'is text that is not a plain decimal such as -12.5.'
  if (value === null) return 'is null.'
  if (Array.isArray(value)) return 'is an array.'
  return `is ${typeof value === 'boolean' ? 'a boolean' : 'an object'}.`
}
