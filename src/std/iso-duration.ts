import { addIntervals } from './calendar.ts'
import type { Duration, Instant } from './instant.ts'
import { after, day, hour, minute, second } from './instant.ts'

/** An ISO 8601 duration: calendar months, and a rest of fixed length. */
export interface IsoDuration {
  readonly months: number
  readonly rest: Duration
}

/** What a duration must look like; the name of a field or argument is put before it. */
export const isoDurationProblem =
  'must be an ISO 8601 duration such as P31D, P1Y2M or PT0.5S: only the last part may have a fraction, no finer than a microsecond, and years and months, whose length varies, have none.'

const fraction = /(?:[.,](\d{1,12}))?/.source
const date = `(?:(\\d{1,4})Y)?(?:(\\d{1,5})M)?(?:(\\d{1,5})${fraction}W)?(?:(\\d{1,6})${fraction}D)?`
const time = `(?:(\\d{1,7})${fraction}H)?(?:(\\d{1,8})${fraction}M)?(?:(\\d{1,9})${fraction}S)?`
const pattern = new RegExp(`^P(?=.)${date}(?:T(?=.)${time})?$`)
const units = [7 * day, day, hour, minute, second]

/** Reads `P31D`, `P1Y2M`, `PT90M`, `P1.5D`; nothing negative. Null otherwise. */
export function parseIsoDuration(text: string): IsoDuration | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const [years, months, ...parts] = match.slice(1) as (string | undefined)[]
  const last = parts.findLastIndex((part, index) => index % 2 === 0 && part !== undefined)
  let rest = 0
  for (const [index, unit] of units.entries()) {
    const [whole, part] = [parts[2 * index], parts[2 * index + 1]]
    if (part !== undefined && 2 * index !== last) return null
    const share = BigInt(unit) * BigInt(part ?? 0)
    const parted = 10n ** BigInt(part?.length ?? 0)
    if (share % parted !== 0n) return null
    rest += unit * Number(whole ?? 0) + Number(share / parted)
  }
  return { months: Number(years ?? 0) * 12 + Number(months ?? 0), rest }
}

/** `at` moved ahead: first by the months (to a month's last day where needed), then by the rest. */
export const addIsoDuration = (at: Instant, { months, rest }: IsoDuration): Instant =>
  after(addIntervals(at, { count: 1, interval: 'Month' }, months), rest)
