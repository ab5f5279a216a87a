// Time and amounts as people read them: in their own zone and language.

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const short = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })

export const zoneName = Intl.DateTimeFormat().resolvedOptions().timeZone

export const wholeTime = (text: string): string => whole.format(new Date(text))
export const shortTime = (text: string): string => short.format(new Date(text))

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** Such as `3 min. ago`. */
export function sinceThen(text: string, nowMs: number): string {
  const seconds = (new Date(text).getTime() - nowMs) / 1_000
  const [unit, size] = steps.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1]
  return ago.format(Math.round(seconds / size), unit)
}

/** The reader's clock. */
export const readersNow = (): number => Date.now()

const plain = new Intl.NumberFormat()
export const count = (value: number): string => plain.format(value)

/** Decimal text with its groups; never through a float, which could not hold all of it. */
export function groupedDecimal(text: string | number): string {
  const [units = '0', rest] = String(text).split('.')
  const sign = units.startsWith('-') ? '-' : ''
  const digits = sign === '' ? units : units.slice(1)
  if (!/^\d+$/.test(digits)) return String(text)
  const grouped = plain.format(BigInt(digits))
  return `${sign}${grouped}${rest === undefined ? '' : `.${rest}`}`
}

/** Major units, as text, of a currency. */
export function shownMajor(major: string, currency: string): string {
  try {
    const format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
    return format.format(Number(major))
  } catch {
    return `${major} ${currency}`
  }
}

/** Whole minor units of a currency, as its own people write it. */
export function shownMoney(minor: number, currency: string): string {
  try {
    const format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
    const { maximumFractionDigits = 2 } = format.resolvedOptions()
    return format.format(minor / 10 ** maximumFractionDigits)
  } catch {
    return `${count(minor)} ${currency}`
  }
}
