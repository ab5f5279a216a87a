import assert from 'node:assert/strict'
import type { Instant } from './instant.ts'
import { day, daysInMonth, hour, instantOf } from './instant.ts'

/** Names of the API. [resources#names-of-choices] */
export type TimeInterval = 'Day' | 'Week' | 'Month' | 'Year'

/** The length of a cycle or a period: `count` intervals. */
export interface Frequency {
  readonly count: number
  readonly interval: TimeInterval
}

/** A half-open stretch of time: `start` belongs to it, `end` does not. */
export interface Cycle {
  readonly start: Instant
  readonly end: Instant
}

/**
 * `anchor` plus `times` × `frequency`, in UTC. Months and years keep the anchor's day of the month
 * where it exists, and take the month's last day where it does not (31 January + 1 month is 28 or
 * 29 February, + 2 months is 31 March). Always counted from the anchor, so that the day comes back.
 */
export function addIntervals(anchor: Instant, frequency: Frequency, times: number): Instant {
  const count = frequency.count * times
  switch (frequency.interval) {
    case 'Day':
      return instantOf(anchor + count * day)
    case 'Week':
      return instantOf(anchor + count * 7 * day)
    case 'Month':
      return addMonths(anchor, count)
    case 'Year':
      return addMonths(anchor, count * 12)
  }
}

function addMonths(anchor: Instant, months: number): Instant {
  const intoDay = ((anchor % day) + day) % day
  const date = new Date((anchor - intoDay) / 1_000)
  const index = date.getUTCFullYear() * 12 + date.getUTCMonth() + months
  const [year, month] = [Math.floor(index / 12), (((index % 12) + 12) % 12) + 1]
  const clamped = Math.min(date.getUTCDate(), daysInMonth(year, month))
  const target = new Date(0)
  target.setUTCFullYear(year, month - 1, clamped)
  return instantOf(target.getTime() * 1_000 + intoDay)
}

/** The cycle of the series from `anchor` that contains `at`; before the anchor, the first one. */
export function cycleAt(anchor: Instant, frequency: Frequency, at: Instant): Cycle {
  assert(frequency.count > 0)
  let index = Math.max(
    0,
    Math.floor((at - anchor) / (longest[frequency.interval] * frequency.count)),
  )
  while (addIntervals(anchor, frequency, index + 1) <= at) index += 1
  const cycle = {
    start: addIntervals(anchor, frequency, index),
    end: addIntervals(anchor, frequency, index + 1),
  }
  assert(cycle.start <= at || index === 0)
  return cycle
}

/** No interval is longer than this, so dividing by it never overshoots the cycle sought. */
const longest: Record<TimeInterval, number> = {
  Day: day,
  Week: 7 * day,
  Month: 31 * day,
  Year: 366 * day,
}

/** The calendar month in UTC that contains `at`. [meters#who-takes-the-usage] */
export function calendarMonth(at: Instant): Cycle {
  return cycleAt(instantOf(0), { count: 1, interval: 'Month' }, at)
}

/** Whole hours since 1970. */
export const hourOf = (at: Instant): number => Math.floor(at / hour)
