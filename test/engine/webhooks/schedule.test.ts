import { describe, expect, it } from 'vitest'
import { nextAttemptAt, parseRetryAfter } from '../../../src/engine/webhooks/schedule.ts'
import { day, hour, instantOf, instantOfMs, minute, second } from '../../../src/std/instant.ts'

const failed = instantOf(1_000_000_000)

describe('the schedule of attempts', () => {
  it.each([
    [1, 5 * second],
    [2, 5 * minute],
    [3, 30 * minute],
    [4, 2 * hour],
    [5, 5 * hour],
    [6, 10 * hour],
    [7, 10 * hour],
  ])('after attempt %i waits %i µs', (attempt, delay) => {
    expect(nextAttemptAt(attempt, failed, null)).toBe(failed + delay)
  })

  it('gives up after the eighth', () => {
    expect(nextAttemptAt(7, failed, null)).not.toBeNull()
    expect(nextAttemptAt(8, failed, null)).toBeNull()
    expect(nextAttemptAt(8, failed, hour)).toBeNull()
  })

  it('is lengthened, never shortened, by a Retry-After, and by a day at most', () => {
    expect(nextAttemptAt(1, failed, minute)).toBe(failed + minute)
    expect(nextAttemptAt(2, failed, second)).toBe(failed + 5 * minute)
    expect(nextAttemptAt(1, failed, 400 * day)).toBe(failed + day)
  })

  it('reads seconds and HTTP dates, and takes nothing else for a time', () => {
    const at = instantOfMs(Date.UTC(2026, 0, 31, 12))
    expect(parseRetryAfter('120', at)).toBe(120 * second)
    expect(parseRetryAfter('Sat, 31 Jan 2026 12:01:00 GMT', at)).toBe(minute)
    expect(parseRetryAfter('Sat, 31 Jan 2026 11:01:00 GMT', at)).toBe(0)
    for (const text of [
      null,
      '',
      '-1',
      '1.5',
      'soon',
      '99999999999',
      'Xxx, 99 Xxx 2026 12:01:00 GMT',
    ]) {
      expect(parseRetryAfter(text, at)).toBeNull()
    }
  })
})
