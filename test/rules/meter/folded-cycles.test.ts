import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Link, Stretch } from '../../../src/rules/meter/route.ts'
import { foldedCycles, linkAt, segmentAt } from '../../../src/rules/meter/route.ts'
import { endingAt, restarted, retermed } from '../../../src/rules/meter/stretches.ts'
import type { Cycle } from '../../../src/std/calendar.ts'
import { cycleAt } from '../../../src/std/calendar.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { after, day, hour, instantOf } from '../../../src/std/instant.ts'
import { link } from './arbitraries.ts'

const week = { count: 1, interval: 'Week' } as const
const of = { meterId: 'mtr_sum', entitlementId: 'cde_1' }
const rated = (rate: number): Link => ({
  ...link('mtr_sum', 'cde_1'),
  unitsPerCredit: BigInt(rate),
})

/** Hours apart: new terms within the open cycle or with a new one, or the open one gets longer. */
const changes = fc.array(
  fc.record({
    hours: fc.integer({ min: 1, max: 120 }),
    kind: fc.constantFrom('silent', 'restart', 'longer'),
  }),
  { minLength: 1, maxLength: 12 },
)

interface Life {
  readonly stretches: readonly Stretch[]
  readonly at: Instant
}

const born: Life = {
  stretches: [{ from: instantOf(0), anchor: instantOf(0), frequency: week, links: [rated(1)] }],
  at: instantOf(0),
}

const openCycle = ({ stretches }: Life, at: Instant): Cycle =>
  segmentAt(stretches, at)?.cycle ?? cycleAt(instantOf(0), week, at)

interface LifeChange {
  readonly hours: number
  readonly kind: string
}

function lived(life: Life, { hours, kind }: LifeChange, rate: number): Life {
  const at = after(life.at, hours * hour)
  const open = openCycle(life, at)
  const terms = { frequency: week, links: [rated(rate)] }
  if (kind === 'restart') return { at, stretches: restarted(life.stretches, at, terms) }
  if (kind === 'silent') return { at, stretches: retermed(life.stretches, open, { at, terms }) }
  return { at, stretches: endingAt(life.stretches, open, after(open.end, hours * hour)) }
}

it('lives on as if nothing were left out, and loses no terms', () => {
  fc.assert(
    fc.property(changes, fc.integer({ min: 2, max: 60 }), (all, lag) => {
      let whole = born
      let lean = born
      let kept: readonly Stretch[] = []
      for (const [index, change] of all.entries()) {
        whole = lived(whole, change, index + 2)
        lean = lived(lean, change, index + 2)
        const measuredTo = after(lean.at, -lag * hour)
        const { stretches, over } = foldedCycles(lean.stretches, measuredTo)
        lean = { ...lean, stretches }
        kept = [...kept, ...over.map(({ stretch }) => stretch)]
        // What is measured from now on goes where it would have gone, now and in later cycles.
        for (let at = Math.max(0, measuredTo); at < lean.at + 20 * day; at += 31 * hour) {
          expect(segmentAt(lean.stretches, instantOf(at))).toEqual(
            segmentAt(whole.stretches, instantOf(at)),
          )
        }
      }
      const everything = [...lean.stretches, ...kept].toSorted((a, b) => a.from - b.from)
      for (let at = 0; at < whole.at; at += 31 * hour) {
        const { start } = segmentAt(whole.stretches, instantOf(at)) ?? { start: instantOf(0) }
        expect(linkAt(everything, start, of)).toEqual(linkAt(whole.stretches, start, of))
      }
    }),
  )
})

it('leaves out what was replaced once the cycle in which it ended is over, but never the first', () => {
  let life = born
  for (const rate of [2, 3, 4]) life = lived(life, { hours: 1, kind: 'silent' }, rate)
  const starts = (days: number) =>
    foldedCycles(life.stretches, instantOf(days * day)).stretches.map(({ from }) => from / hour)
  expect(starts(6)).toEqual([0, 1, 2, 3])
  expect(starts(7)).toEqual([0, 3])
})
