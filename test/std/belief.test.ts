import { describe, expect, it } from 'vitest'
import type { Belief, ClockReading, Remembered } from '../../src/std/belief.ts'
import { beliefAt, believedTime, believing, firstBeliefs } from '../../src/std/belief.ts'
import type { Duration, Instant } from '../../src/std/instant.ts'
import { after, day, hour, instantOf, minute, parseInstant, second } from '../../src/std/instant.ts'

const began = parseInstant('2026-03-01T00:00:00Z') as Instant
const up = 5 * hour

/** `passed` since the beginning, with the wall and the store's clock so far from the true time. */
const seen = (passed: Duration, wall: Duration, store: Duration | null = wall): ClockReading => ({
  monotonic: up + passed,
  wall: after(began, passed + wall),
  store: store === null ? null : after(began, passed + store),
})

/** Looks every second; answers how far the belief is from the true time after each. */
function looked(
  seconds: number,
  clocks: (passed: Duration) => ClockReading,
  from = beliefAt(began, seen(0, 0)),
): { readonly errors: readonly Duration[]; readonly belief: Belief } {
  let belief = from
  const errors: Duration[] = []
  for (let at = 1; at <= seconds; at += 1) {
    const passed = at * second
    belief = believing(belief, clocks(passed))
    errors.push(believedTime(belief, up + passed) - after(began, passed))
  }
  return { errors, belief }
}

const worst = (errors: readonly Duration[]): Duration => Math.max(...errors.map(Math.abs))

describe('a step of the clock', () => {
  const steps = [hour, -hour, 3 * day, -3 * day, 120 * day, -120 * day]

  it.each(steps)('by %d µs for six seconds moves nothing', (step) => {
    const isBent = (passed: Duration) => passed > minute && passed <= minute + 6 * second
    const { errors, belief } = looked(2_000, (passed) => seen(passed, isBent(passed) ? step : 0))
    expect([worst(errors), belief.doubted]).toEqual([0, null])
  })

  it.each(steps)('by %d µs is believed when it has stayed for ten minutes', (step) => {
    const { errors } = looked(700, (passed) => seen(passed, step))
    expect(errors.slice(0, 600).every((error) => error === 0)).toBe(true)
    expect(errors.slice(600).every((error) => error === step)).toBe(true)
  })

  it('begins its ten minutes anew when the clock moves again', () => {
    const { errors } = looked(1_100, (passed) => seen(passed, passed < 550 * second ? hour : day))
    expect(worst(errors)).toBe(0)
  })

  it("is not believed while the store's clock says otherwise, or nothing", () => {
    for (const store of [0, null]) {
      const { errors, belief } = looked(5_000, (passed) => seen(passed, 120 * day, store))
      expect(worst(errors)).toBe(0)
      expect(belief.doubted).not.toBeNull()
    }
  })

  it("of the store's clock alone is nothing to ours", () => {
    const { errors } = looked(2_000, (passed) => seen(passed, 0, -120 * day))
    expect(worst(errors)).toBe(0)
  })
})

it('is told in whole microseconds, as the store takes it', () => {
  const belief = beliefAt(began, { ...seen(0, 0), monotonic: 0.25 })
  expect(believedTime(belief, 7.5)).toBe(began + 7)
})

describe('a drift', () => {
  it.each([0.02, -0.02, 0.5])('of %d is not followed', (rate) => {
    const { errors } = looked(7_200, (passed) => seen(passed, rate * passed))
    // Until it shows: what is near is followed, slowly.
    expect(worst(errors)).toBeLessThan(2 * second)
  })

  it('that a steady clock may have is followed without a doubt', () => {
    const drift = (passed: Duration) => passed * 0.0004
    const { errors, belief } = looked(7_200, (passed) => seen(passed, drift(passed)))
    expect(belief.doubted).toBeNull()
    expect(errors.at(-1)).toBeCloseTo(drift(7_200 * second), -4)
  })
})

describe('a start', () => {
  const memoryAt = (ago: Duration, monotonic: Duration | null, storeAhead = 0): Remembered => ({
    at: instantOf(began - ago),
    toldAt: instantOf(began + storeAhead - ago),
    monotonic,
  })
  const begun = (reading: ClockReading, memory: Remembered | null) => {
    const { present, sure } = firstBeliefs(reading, memory)
    return [present, sure].map((one) => believedTime(one, up) - began)
  }

  it('without any memory believes the clock, or the earlier of two that differ', () => {
    expect(begun(seen(0, 0), null)).toEqual([0, 0])
    expect(begun(seen(0, 120 * day, 0), null)).toEqual([0, 0])
    expect(begun(seen(0, 0, 120 * day), null)).toEqual([0, 0])
  })

  it('on the same machine goes on by monotonic time, whatever the clocks say', () => {
    for (const step of [hour, -hour, 120 * day, -120 * day]) {
      expect(begun(seen(0, step), memoryAt(2 * hour, up - 2 * hour))).toEqual([0, 0])
    }
  })

  it('after a rest of unknown length drops nothing by it for ten minutes', () => {
    const reading = seen(0, 0)
    const memory = memoryAt(3 * day, null)
    expect(begun(reading, memory)).toEqual([0, -3 * day])
    const { sure } = firstBeliefs(reading, memory)
    const { errors } = looked(700, (passed) => seen(passed, 0), sure)
    expect(errors[599]).toBe(-3 * day)
    expect(errors.at(-1)).toBe(0)
  })

  it('with a clock of its own that differs goes by the time of the others', () => {
    const memory = memoryAt(5 * second, null)
    for (const step of [120 * day, -50 * hour]) {
      const [present = 0, sure = 0] = begun(seen(0, step, 0), memory)
      expect(Math.abs(present)).toBeLessThanOrEqual(5 * second)
      expect(Math.abs(sure)).toBeLessThanOrEqual(5 * second)
    }
  })

  it("with the store's clock gone wrong meanwhile goes by its own", () => {
    for (const step of [120 * day, -120 * day]) {
      expect(begun(seen(0, 0, step), memoryAt(5 * second, null))).toEqual([0, 0])
    }
  })

  it('of a machine that was started anew does not take its monotonic time for the old one', () => {
    expect(begun(seen(0, 0), memoryAt(5 * second, up + hour))).toEqual([0, 0])
  })
})
