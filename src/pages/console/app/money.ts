/**
 * How many decimals an amount of a currency has, as the server counts them: browsers leave out
 * those of currencies whose small coins nobody uses, so that amounts would be a hundredfold.
 */
export const decimalsIn = (currency: string): number =>
  without.has(currency) ? 0 : thousandths.has(currency) ? 3 : 2

const without = codes('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF')
const thousandths = codes('BHD IQD JOD KWD LYD OMR TND')

function codes(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
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

/** Major units, as text, of a currency. */
export function shownMajor(major: string, currency: string): string {
  const decimals = decimalsIn(currency)
  try {
    const format = new Intl.NumberFormat(undefined, {
      style: 'currency',
      currency,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    })
    return format.format(Number(major))
  } catch {
    return `${major} ${currency}`
  }
}

/** Whole minor units of a currency, as its own people write it. */
export const shownMoney = (minor: number, currency: string): string =>
  shownMajor(majorText(minor, currency), currency)
