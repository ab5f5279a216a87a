import fc from 'fast-check'
import { expect, it } from 'vitest'
import { skipOver } from '../../../src/rules/archive/skipping.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { instantOf } from '../../../src/std/instant.ts'

const moment = fc.integer({ min: 0, max: 30 }).map(instantOf)

/** Blocks with their events' times, as the archive lists them. */
const blocks = fc
  .array(fc.tuple(fc.array(moment, { minLength: 1, maxLength: 6 }), fc.boolean()), {
    maxLength: 12,
  })
  .map((all) =>
    all
      .map(([times, isDoubtful]) => ({
        times,
        firstAt: instantOf(Math.min(...times)),
        lastAt: instantOf(Math.max(...times)),
        events: times.length,
        isDoubtful,
      }))
      .toSorted((a, b) => b.lastAt - a.lastAt),
  )

it('passes over no more than it may, and counts all that it passes over', () => {
  fc.assert(
    fc.property(blocks, fc.nat({ max: 80 }), fc.option(moment), (all, most, end) => {
      const listed = all.filter(({ firstAt }) => end === null || firstAt <= end)
      const skip = skipOver(listed, { most, end })
      if (skip === null) {
        expect(listed).toEqual([])
        return
      }
      const isPassed = (at: Instant) => at > skip.after && (end === null || at <= end)
      const passed = all.flatMap(({ times }) => times).filter(isPassed)
      const opened = skip.opened.flatMap(({ times }) => times).filter(isPassed)
      expect(skip.events + opened.length).toBe(passed.length)
      expect(passed.length).toBeLessThanOrEqual(most)
      expect(listed.filter((one) => one.isDoubtful && one.lastAt > skip.after)).toEqual(
        skip.opened.filter((one) => one.isDoubtful),
      )
    }),
  )
})

it('opens nothing where blocks follow one another, and gets as deep as a block is long', () => {
  const all = Array.from({ length: 100 }, (_, index) => ({
    firstAt: instantOf((100 - index) * 10),
    lastAt: instantOf((100 - index) * 10 + 9),
    events: 10,
    isDoubtful: false,
  }))
  expect(skipOver(all, { most: 705, end: null })).toEqual({
    after: instantOf(309),
    events: 700,
    opened: [],
  })
})
