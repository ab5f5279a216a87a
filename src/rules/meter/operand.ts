import { plainText, quantityPattern } from './quantity.ts'

/** The values that a filter can compare; null, arrays and objects never match. */
export type Primitive = string | number | boolean

export const isPrimitive = (value: unknown): value is Primitive =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** The value of a condition, read once as each of the three types. */
export interface Operand {
  readonly numeric: number | string | null
  readonly truth: boolean | null
  readonly text: string
}

export const operandOf = (value: Primitive): Operand => ({
  numeric: numericOf(value),
  truth: truthOf(value),
  text: textOf(value),
})

/**
 * Compares both as numbers if they can be read as such, else as booleans, else as text,
 * case-sensitive. [meters#aggregation]
 */
export function isEqual(property: Primitive, operand: Operand): boolean {
  if (operand.numeric !== null) {
    const numeric = numericOf(property)
    if (numeric !== null) return compareNumeric(numeric, operand.numeric) === 0
  }
  if (operand.truth !== null) {
    const truth = truthOf(property)
    if (truth !== null) return truth === operand.truth
  }
  return textOf(property) === operand.text
}

/** Below, at or above 0 as the property is less, equal or greater; NaN unless both are numbers. */
export function order(property: Primitive, operand: Operand): number {
  if (operand.numeric === null) return Number.NaN
  const numeric = numericOf(property)
  return numeric === null ? Number.NaN : compareNumeric(numeric, operand.numeric)
}

/**
 * A number, or the text of a decimal that a double might not hold exactly. Up to 15 significant
 * digits, different decimals are different doubles, so comparing doubles compares the decimals.
 * [meters#quantities]
 */
export function numericOf(value: Primitive): number | string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !quantityPattern.test(value)) return null
  return value.length <= 15 ? Number(value) : value
}

function truthOf(value: Primitive): boolean | null {
  if (typeof value === 'boolean') return value
  if (value === 'true') return true
  return value === 'false' ? false : null
}

const textOf = (value: Primitive): string =>
  typeof value === 'number' && Number.isFinite(value) ? plainText(value) : String(value)

function compareNumeric(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : Number(a > b)
  return compareDecimals(textOf(a), textOf(b))
}

/** Compares plain decimals digit by digit: exact at any length. */
function compareDecimals(a: string, b: string): number {
  const [left, right] = [signedDigits(a), signedDigits(b)]
  if (left.sign !== right.sign) return left.sign - right.sign
  return left.sign * compareDigits(left, right)
}

interface Digits {
  readonly sign: -1 | 0 | 1
  readonly whole: string
  readonly fraction: string
}

function signedDigits(text: string): Digits {
  const negative = text.startsWith('-')
  const [digits = '', decimals = ''] = text.slice(negative ? 1 : 0).split('.')
  const whole = digits.replace(/^0+/, '')
  const fraction = decimals.replace(/0+$/, '')
  if (whole === '' && fraction === '') return { sign: 0, whole, fraction }
  return { sign: negative ? -1 : 1, whole, fraction }
}

function compareDigits(a: Digits, b: Digits): number {
  if (a.whole.length !== b.whole.length) return a.whole.length - b.whole.length
  const [left, right] = [a.whole + a.fraction, b.whole + b.fraction]
  // Where one fraction begins with the other, the longer one is greater, since trailing zeros are
  // gone.
  return left < right ? -1 : Number(left > right)
}
