import { describe, expect, it } from 'vitest'
import { instantOf, parseInstant } from '../../src/std/instant.ts'
import { addIsoDuration, parseIsoDuration } from '../../src/std/iso-duration.ts'

const day = 86_400_000_000

describe('an ISO 8601 duration', () => {
  it.each([
    ['P31D', { months: 0, rest: 31 * day }],
    ['P1Y2M3W4DT5H6M7S', { months: 14, rest: 25 * day + 18_367_000_000 }],
    ['PT0S', { months: 0, rest: 0 }],
    ['PT0.5S', { months: 0, rest: 500_000 }],
    ['PT0,000001S', { months: 0, rest: 1 }],
    ['P1.5D', { months: 0, rest: 1.5 * day }],
    ['P0.5W', { months: 0, rest: 3.5 * day }],
    ['P1M0.5D', { months: 1, rest: 0.5 * day }],
    ['P1DT0.25H', { months: 0, rest: day + 900_000_000 }],
    ['PT1.50000000M', { months: 0, rest: 90_000_000 }],
  ])('%s', (text, duration) => {
    expect(parseIsoDuration(text)).toEqual(duration)
  })

  it.each([
    // Nothing, or nothing behind the T.
    ...['', 'P', 'PT', 'P1DT', 'XX', '1D', 'P-1D', '-P1D', 'P1D ', 'P1H', 'PT1D', 'P1'],
    // A fraction that is not the last, has no digits, is of a year or a month, or too fine.
    ...['P1.5DT1H', 'PT0.5M1S', 'P1.D', 'P.5D', 'P0.5Y', 'P1.5M', 'PT0.0000001S', 'P0.333D3S'],
  ])('is not %j', (text) => {
    expect(parseIsoDuration(text)).toBe(null)
  })

  it('moves by the calendar first', () => {
    const at = instantOf(parseInstant('2027-01-31T00:00:00Z') ?? 0)
    const duration = parseIsoDuration('P1M0.5D')
    expect(duration && addIsoDuration(at, duration)).toBe(parseInstant('2027-02-28T12:00:00Z'))
  })
})
