import type { Plan } from './program.ts'

// Calendar arithmetic in whole seconds, by the platform's own dates.

export const day = 86_400

/**
 * The moment so many cycles after the anchor. Where a month does not have that day, its last day.
 */
export function cyclesAfter(anchor: number, cycle: Plan['cycle'], times: number): number {
  if (cycle.interval === 'Day') return anchor + times * cycle.count * day
  const date = new Date(anchor * 1_000)
  const wanted = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + times * cycle.count)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(wanted, last))
  return date.getTime() / 1_000
}

export function monthOf(at: number): { readonly start: number; readonly end: number } {
  const date = new Date(at * 1_000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { start: Date.UTC(year, month, 1) / 1_000, end: Date.UTC(year, month + 1, 1) / 1_000 }
}
