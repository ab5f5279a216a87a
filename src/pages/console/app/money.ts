/** How many decimals an amount of a currency has. */
export function decimalsIn(currency: string): number {
  try {
    const format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
    return format.resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    return 2
  }
}

/** Whole minor units of an amount such as `12.50`. @throws Error a sentence */
export function minorUnits(text: string, currency: string, label: string): number {
  const decimals = decimalsIn(currency)
  const [, units = '', rest = ''] = /^(\d{1,13})(?:\.(\d+))?$/.exec(text) ?? []
  if (units === '' || rest.length > decimals) {
    const example = decimals === 0 ? '1250' : `12.${'5'.padEnd(decimals, '0')}`
    throw new Error(`${label} must be an amount in ${currency} such as ${example}.`)
  }
  return Number(units + rest.padEnd(decimals, '0'))
}

/** The same the other way round: `1250` → `12.50`. */
export function majorText(minor: number, currency: string): string {
  const decimals = decimalsIn(currency)
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0')
  const units = digits.slice(0, digits.length - decimals)
  const sign = minor < 0 ? '-' : ''
  return decimals === 0 ? sign + units : `${sign}${units}.${digits.slice(-decimals)}`
}
