import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatInstant, parseInstant } from '../../src/std/instant.ts'

const roundTrip = (text: string): string | null => {
  const at = parseInstant(text)
  return at === null ? null : formatInstant(at)
}

describe('an instant', () => {
  it('reads any offset and up to nanoseconds, and writes microseconds in UTC', () => {
    expect(roundTrip('2026-01-31T12:00:00+05:30')).toBe('2026-01-31T06:30:00.000000Z')
    expect(roundTrip('2026-01-31T12:00:00.123456789Z')).toBe('2026-01-31T12:00:00.123456Z')
    expect(roundTrip('2026-06-30T23:59:60Z')).toBe('2026-07-01T00:00:00.000000Z')
    expect(roundTrip('1969-12-31T23:59:59.000001Z')).toBe('1969-12-31T23:59:59.000001Z')
  })

  it('reaches from the year 1 to the year 9999 in UTC and no further', () => {
    expect(roundTrip('0001-01-01T00:00:00Z')).toBe('0001-01-01T00:00:00.000000Z')
    expect(roundTrip('0001-01-01T00:00:00+00:01')).toBeNull()
    expect(roundTrip('0000-12-31T23:59:59Z')).toBeNull()
    expect(roundTrip('9999-12-31T23:59:59.999999999Z')).toBe('9999-12-31T23:59:59.999968Z')
    expect(roundTrip('9999-12-31T23:59:59-00:01')).toBeNull()
    expect(roundTrip('9999-12-31T23:59:60Z')).toBeNull()
  })

  it('is read again as what was written, whatever the date', () => {
    const two = (most: number) => fc.nat({ max: most }).map((n) => String(n).padStart(2, '0'))
    const year = fc.nat({ max: 9999 }).map((n) => String(n).padStart(4, '0'))
    const date = fc.tuple(year, two(13), two(32)).map((parts) => parts.join('-'))
    const time = fc.tuple(two(24), two(60), two(61)).map((parts) => parts.join(':'))
    const fraction = fc.nat({ max: 999_999_999 }).map((n) => `.${String(n).padStart(9, '0')}`)
    const zone = fc.oneof(
      fc.constant('Z'),
      fc.tuple(two(24), two(60)).map((z) => `-${z.join(':')}`),
    )
    fc.assert(
      fc.property(date, time, fraction, zone, (day, hour, digits, offset) => {
        const at = parseInstant(`${day}T${hour}${digits}${offset}`)
        if (at === null) return
        expect(formatInstant(at)).toMatch(/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
        expect(parseInstant(formatInstant(at))).toBe(at)
      }),
    )
  })
})
