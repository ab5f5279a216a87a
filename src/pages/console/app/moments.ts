// Time and numbers as people read them: in their own zone and language.

/** Whether the reader has asked for UTC in place of their own zone. */
export const showsUtc = kept() === 'utc'
const zone = showsUtc ? { timeZone: 'UTC' } : {}

const whole = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  ...zone,
})
const short = new Intl.DateTimeFormat(undefined, {
  ...zone,
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const clock = new Intl.DateTimeFormat(undefined, { ...zone, timeStyle: 'short' })
const exactClock = new Intl.DateTimeFormat(undefined, { ...zone, timeStyle: 'medium' })
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })

export const zoneName = whole.resolvedOptions().timeZone

/** Shows all times in UTC, or again in the reader's zone: the page begins anew with them. */
export function turnZone(): void {
  localStorage.setItem('sluice-zone', showsUtc ? 'own' : 'utc')
  location.reload()
}

/**
 * A moment as a field for dates and times has it, in the zone that is shown: `2026-01-31T12:00:00`;
 * empty where it is none.
 */
export function fieldOfMoment(text: string): string {
  const at = new Date(text).getTime()
  if (Number.isNaN(at)) return ''
  const ahead = showsUtc ? 0 : new Date(at).getTimezoneOffset() * 60_000
  return new Date(at - ahead).toISOString().slice(0, 19)
}

/** The other way round, in UTC. */
export const momentOfField = (entered: string): string =>
  new Date(showsUtc ? `${entered}Z` : entered).toISOString()

/** Null where the browser keeps nothing for pages. */
function kept(): string | null {
  try {
    return localStorage.getItem('sluice-zone')
  } catch {
    return null
  }
}

export const wholeTime = (text: string): string => whole.format(new Date(text))
/** The time of day of so many seconds since 1970. */
export const clockTime = (seconds: number, isExact: boolean): string =>
  (isExact ? exactClock : clock).format(new Date(seconds * 1_000))
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
