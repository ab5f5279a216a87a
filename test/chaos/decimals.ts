/**
 * Exact decimals as bigints, scaled by 10^18. The chaos program has its own, so that it does not
 * share a bug with the server.
 */
export const scale = 18
const one = 10n ** BigInt(scale)

/** Reads `12` or `-0.5`, without exponents: what these programs write. */
export function exact(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(text)
  if (match === null) throw new Error(`'${text}' is not a plain decimal.`)
  const [, sign, whole = '0', fraction = ''] = match
  const size = BigInt(whole) * one + BigInt(fraction.padEnd(scale, '0'))
  return sign === '-' ? -size : size
}

export function plain(value: bigint): string {
  const size = value < 0n ? -value : value
  const fraction = String(size % one)
    .padStart(scale, '0')
    .replace(/0+$/, '')
  const text = fraction === '' ? `${size / one}` : `${size / one}.${fraction}`
  return value < 0n ? `-${text}` : text
}

/** value ÷ divisor, cut after `digits` fractional digits, towards zero. */
export function dividedAndCut(value: bigint, divisor: bigint, digits: number): bigint {
  const quotient = (value * 10n ** BigInt(digits)) / divisor
  return quotient * 10n ** BigInt(scale - digits)
}
