/** A fraction of two whole numbers, never reduced: slow, and too simple to be wrong. */
export interface Rational {
  readonly over: bigint
  readonly under: bigint
}

/** Reads decimal text with an optional exponent; null for any other text. */
export function rational(text: string): Rational | null {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  const power = Number(exponent) - fraction.length
  return power >= 0
    ? { over: digits * 10n ** BigInt(power), under: 1n }
    : { over: digits, under: 10n ** BigInt(-power) }
}

export function compareRational(a: Rational, b: Rational): number {
  const difference = a.over * b.under - b.over * a.under
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
