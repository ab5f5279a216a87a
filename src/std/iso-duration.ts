import { addIntervals } from './calendar.ts'
import type { Instant } from './instant.ts'
import { after, day, hour, minute, second } from './instant.ts'

/** An ISO 8601 duration, part by part; years and months are calendar ones. */
export interface IsoDuration {
  readonly years: number
  readonly months: number
  readonly weeks: number
  readonly days: number
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
}

const date = /(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?/
const time = /(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?/
const pattern = new RegExp(`^P(?=.)${date.source}(?:T(?=.)${time.source})?$`)

/** `P31D`, `P1Y2M`, `PT90M`: whole numbers, nothing negative. Null when it is no such duration. */
export function parseIsoDuration(text: string): IsoDuration | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const part = (index: number): number => Number(match[index] ?? 0)
  return {
    years: part(1),
    months: part(2),
    weeks: part(3),
    days: part(4),
    hours: part(5),
    minutes: part(6),
    seconds: part(7),
  }
}

/**
 * `at` moved ahead: first by years and months (a month's last day where needed), then by the rest.
 */
export function addIsoDuration(at: Instant, duration: IsoDuration): Instant {
  const months = duration.years * 12 + duration.months
  const moved = addIntervals(at, { count: 1, interval: 'Month' }, months)
  const days = duration.weeks * 7 + duration.days
  const rest = duration.hours * hour + duration.minutes * minute + duration.seconds * second
  return after(moved, days * day + rest)
}
