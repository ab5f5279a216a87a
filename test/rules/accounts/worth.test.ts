import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SegmentUsage } from '../../../src/rules/accounts/worth.ts'
import { worthOfCycle } from '../../../src/rules/accounts/worth.ts'
import type { Fold } from '../../../src/rules/meter/fold.ts'
import { addToFold, emptyFold } from '../../../src/rules/meter/fold.ts'
import type { AggregationType } from '../../../src/rules/meter/meter.ts'
import { usage } from '../../../src/rules/meter/route.ts'
import type { ModelSample } from '../../model/usage.ts'
import { modelWorth } from '../../model/usage.ts'
import { runs } from '../../support/run/runs.ts'
import { at, one } from '../meter/arbitraries.ts'

const units = (text: string): bigint => BigInt(Math.round(Number(text) * 1e6)) * 10n ** 12n

const foldOf = (aggregation: AggregationType, samples: readonly ModelSample[]): Fold =>
  samples.reduce(
    (fold, { quantity, event: { timestamp, receivedAt, eventId } }) =>
      addToFold(fold, { quantity: usage(quantity), at: timestamp, received: receivedAt, eventId }),
    emptyFold(aggregation),
  )

const used = (text: string, start = 0): ModelSample => ({
  quantity: units(text),
  event: { timestamp: at(start), receivedAt: at(start), eventId: `evt_${start}` },
})

const segment = (
  fold: Fold,
  terms: { readonly start?: number; readonly per?: string | null; readonly free?: string } = {},
): SegmentUsage => ({
  start: at(terms.start ?? 0),
  fold,
  link: {
    unitsPerCredit: terms.per === null ? null : units(terms.per ?? '1'),
    freeThreshold: usage(units(terms.free ?? '0')),
  },
})

const sum = (...texts: readonly string[]): Fold =>
  foldOf(
    'sum',
    texts.map((text) => used(text)),
  )

describe('worth [meters#worth]', () => {
  it('converts what is above the free threshold', () => {
    expect(worthOfCycle([segment(sum('2500'), { free: '1000' })], 0)).toBe(1_500n)
    expect(worthOfCycle([segment(sum('1000'), { free: '1000' })], 0)).toBe(0n)
    expect(worthOfCycle([segment(sum('2500'), { free: '1000', per: '1000' })], 2)).toBe(150n)
  })

  it('rounds toward zero once a cycle, so that remainders stay in the fold', () => {
    expect(worthOfCycle([segment(sum('0.6'))], 0)).toBe(0n)
    expect(worthOfCycle([segment(sum('0.6', '0.6'))], 0)).toBe(1n)
    expect(worthOfCycle([segment(sum('1'), { per: '3' })], 10)).toBe(3_333_333_333n)
    expect(worthOfCycle([segment(sum('1', '1', '1'), { per: '3' })], 10)).toBe(10_000_000_000n)
  })

  it('never goes below 0 for usage below 0', () => {
    expect(worthOfCycle([segment(sum('-7'))], 2)).toBe(0n)
    expect(worthOfCycle([segment(sum('-7', '8'))], 2)).toBe(100n)
  })

  it('reprices nothing when terms change inside a cycle', () => {
    const before = segment(sum('100'), { per: '1' })
    const after = segment(sum('100'), { per: '10', start: 1 })
    expect(worthOfCycle([before, after], 0)).toBe(110n)
    expect(worthOfCycle([after, before], 0)).toBe(110n)
  })

  it('applies the threshold once a cycle, over all its segments', () => {
    const parts = [0, 1, 2].map((start) => segment(sum('50'), { start, free: '100' }))
    expect(worthOfCycle(parts, 0)).toBe(50n)
  })

  it('of a max counts only what rises', () => {
    const [low, high] = [foldOf('max', [used('30')]), foldOf('max', [used('80')])]
    expect(worthOfCycle([segment(high), segment(low, { start: 1 })], 0)).toBe(80n)
    expect(worthOfCycle([segment(low), segment(high, { start: 1 })], 0)).toBe(80n)
  })

  it('of a last falls when it falls', () => {
    const [first, second] = [foldOf('last', [used('30', 0)]), foldOf('last', [used('10', 1)])]
    expect(worthOfCycle([segment(first), segment(second, { start: 1 })], 0)).toBe(10n)
  })

  it('of nothing, and of segments tied to money, is 0', () => {
    expect(worthOfCycle([], 2)).toBe(0n)
    expect(worthOfCycle([segment(sum('5'), { per: null })], 2)).toBe(0n)
  })

  it('does not depend on how events were split, ordered or merged', () => {
    const sample = fc.record({
      quantity: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 21n }),
      step: fc.nat(2),
      segment: fc.nat(2),
    })
    const terms = fc.record({
      unitsPerCredit: fc.bigInt({ min: 1n, max: 10n ** 20n }),
      freeThreshold: fc.bigInt({ min: 0n, max: 10n ** 20n }),
    })
    fc.assert(
      fc.property(
        fc.constantFrom<AggregationType>('count', 'sum', 'max', 'last'),
        fc.array(sample, { maxLength: 10 }),
        fc.tuple(terms, terms, terms),
        fc.nat(10),
        (aggregation, list, cycle, precision) => {
          const samples = list.map(({ quantity, step, segment: of }, index) => ({
            of,
            quantity,
            event: { timestamp: at(of * 10 + step), receivedAt: at(0), eventId: `evt_${index}` },
          }))
          const parts = cycle.map((link, of) => {
            const own = samples.filter((each) => each.of === of)
            return { start: at(of * 10), samples: own, ...link }
          })
          const segments = parts.map(({ start, samples: own, ...link }) => ({
            start,
            fold: foldOf(aggregation, own.toReversed()),
            link: { ...link, freeThreshold: usage(link.freeThreshold) },
          }))
          expect(worthOfCycle(segments.toReversed(), precision)).toBe(
            modelWorth(parts, aggregation, precision),
          )
        },
      ),
      runs(500),
    )
  })

  it('is in credits of 10^-precision', () => {
    expect(worthOfCycle([segment(foldOf('count', [used('0')]))], 10)).toBe(10n ** 10n)
    expect(one).toBe(10n ** 18n)
  })
})
