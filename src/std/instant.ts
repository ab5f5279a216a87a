/**
 * A moment: whole microseconds since 1970-01-01T00:00:00Z.
 *
 * A double holds every microsecond until the year 2255 and every whole second far beyond the year
 * 9999, which is all that RFC 3339 can write.
 */
export type Instant = number & { readonly [instant]: true }
declare const instant: unique symbol

/** A length of time in microseconds. */
export type Duration = number

export const microsecond = 1
export const millisecond = 1_000
export const second = 1_000_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export const instantOf = (microseconds: number): Instant => microseconds as Instant
export const instantOfMs = (milliseconds: number): Instant => (milliseconds * 1_000) as Instant
export const after = (at: Instant, length: Duration): Instant => (at + length) as Instant
export const laterOf = (a: Instant, b: Instant): Instant => (a >= b ? a : b)
export const earlierOf = (a: Instant, b: Instant): Instant => (a <= b ? a : b)

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/

/**
 * Reads an RFC 3339 date-time with any offset and up to nine fractional digits, of which those
 * beyond the sixth are cut off. Null when the text is not one, names a day or hour that does not
 * exist, or lies outside of the years 1 to 9999 in UTC, which neither RFC 3339 nor the store can
 * write. A leap second (`:60`) reads as the second after it. [events#times]
 */
export function parseInstant(text: string): Instant | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const [, years, months, days, hours, minutes, seconds, fraction, zone] = match as unknown as Parts
  const [month, date] = [Number(months), Number(days)]
  if (month < 1 || month > 12 || date < 1 || date > daysInMonth(Number(years), month)) return null
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return null
  const offset = zone === 'Z' || zone === 'z' ? 0 : offsetMinutes(zone)
  if (offset === null) return null
  const whole = utcMs(Number(years), month, date, Number(hours), Number(minutes), Number(seconds))
  const micros = fraction === undefined ? 0 : Number(fraction.slice(0, 6).padEnd(6, '0'))
  const start = (whole - offset * 60_000) * 1_000
  if (start < earliest || start > latest) return null
  // A double is not exact so far out: the last microsecond of 9999 would become the year 10000.
  return Math.min(start + micros, latest) as Instant
}

const earliest = utcMs(1, 1, 1, 0, 0, 0) * 1_000
/** The last moment of the year 9999 that a double holds, 32 µs before its end. */
const latest = utcMs(10_000, 1, 1, 0, 0, 0) * 1_000 - 32
export const lastInstant: Instant = instantOf(latest)

type Parts = [string, string, string, string, string, string, string, string | undefined, string]

function offsetMinutes(zone: string): number | null {
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4, 6))
  if (hours > 23 || minutes > 59) return null
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/** Like Date.UTC, except that years below 100 mean themselves. */
function utcMs(y: number, month: number, d: number, h: number, m: number, s: number): number {
  const date = new Date(0)
  date.setUTCFullYear(y, month - 1, d)
  date.setUTCHours(h, m, s, 0)
  return date.getTime()
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/**
 * RFC 3339 in UTC with microseconds, the form of every timestamp on the wire. [requests#answers]
 */
export function formatInstant(at: Instant): string {
  const micros = ((at % second) + second) % second
  const whole = new Date((at - micros) / 1_000).toISOString()
  return `${whole.slice(0, -5)}.${String(micros).padStart(6, '0')}Z`
}
