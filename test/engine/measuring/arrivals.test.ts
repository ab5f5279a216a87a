import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrivals, rememberedFor } from '../../../src/engine/measuring/arrivals.ts'
import { day, hour, minute, second } from '../../../src/std/instant.ts'
import { runs } from '../../support/run/runs.ts'

describe('arrivals', () => {
  it('go by the time between looks, from where the checkpoint stood', () => {
    const one = arrivals({ ran: 5 * hour, at: 0 })
    expect(one.of(0)).toBe(5 * hour)
    one.looked(10, 4 * second)
    one.looked(20, 9 * second)
    // The first look found ten records, and nobody knows for how long they were there.
    expect(one.of(9)).toBe(5 * hour)
    expect(one.of(10)).toBe(5 * hour + 4 * second)
    expect(one.of(19)).toBe(5 * hour + 4 * second)
    expect(one.of(20)).toBe(5 * hour + 9 * second)
  })

  it('are as old as they came in, however late they are measured', () => {
    const one = arrivals({ ran: 0, at: 0 })
    for (let turn = 1; turn <= 1_000; turn += 1) one.looked(turn, turn * 5 * second)
    expect(one.of(100)).toBe(500 * second)
    one.looked(1_000, 6_000 * second)
    expect(one.of(101)).toBe(505 * second)
    expect(one.of(1_000)).toBe(5_000 * second + 30 * second)
  })

  it('go on by half a minute at most, whatever the monotonic clock says', () => {
    const one = arrivals({ ran: 0, at: 0 })
    for (const at of [5 * hour, 0, 50 * hour, -day, 120 * day]) one.looked(0, at)
    expect(one.of(0)).toBe(90 * second)
  })

  it('are not taken back by a log that seems shorter, and idle time counts', () => {
    const one = arrivals({ ran: 0, at: 0 })
    one.looked(7, second)
    one.looked(3, 2 * second)
    expect(one.of(3)).toBe(0)
    expect(one.of(7)).toBe(2 * second)
    one.looked(7, 3 * second)
    expect(one.of(7)).toBe(3 * second)
  })

  it('are never younger than they were, and never more than a look and its limit older', () => {
    const step = fc.record({
      passes: fc.integer({ min: 0, max: minute }),
      comes: fc.integer({ min: 0, max: 5 }),
      reads: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5_000, size: 'max' }), (steps) => {
        const one = arrivals({ ran: 0, at: 0 })
        const came: number[] = []
        let [at, ran, next, told] = [0, 0, 0, 0]
        for (const { passes, comes, reads } of steps) {
          at += passes
          ran += Math.min(passes, 30 * second)
          one.looked(came.length, at)
          for (let each = 0; each < comes; each += 1) came.push(ran)
          if (!reads || next >= came.length) continue
          const answer = one.of(next)
          expect(answer).toBeLessThanOrEqual(came[next] ?? 0)
          expect(answer).toBeGreaterThanOrEqual(told)
          told = answer
          next += 1
        }
      }),
      runs(30),
    )
  })

  it('are kept so long that looks and a slewed clock take nothing of the window', () => {
    for (const window of [2 * hour, day, 30 * day]) {
      expect(rememberedFor(window) - window).toBeGreaterThan(30 * second + (window * 5) / 10_000)
      expect(rememberedFor(window)).toBeLessThan(window * 1.02)
    }
  })
})
