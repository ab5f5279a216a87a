import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fold, FoldSample } from '../../../src/rules/meter/fold.ts'
import {
  addToFold,
  compareText,
  emptyFold,
  mergeFolds,
  usageOf,
} from '../../../src/rules/meter/fold.ts'
import type { AggregationType } from '../../../src/rules/meter/meter.ts'
import { scaledQuantity } from '../../../src/rules/meter/quantity.ts'
import { foldOfTally, newTally, tallyLast, tallyQuantity } from '../../../src/rules/meter/tally.ts'
import { modelValue } from '../../model/usage.ts'
import { at, one } from './arbitraries.ts'

type Raw = Omit<FoldSample, 'quantity'> & { readonly quantity: number | bigint }

const aggregation = fc.constantFrom<AggregationType>('count', 'sum', 'max', 'last')

const quantity = fc.oneof(
  fc.integer({ min: -9, max: 9 }),
  fc.maxSafeInteger(),
  fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }),
)

const samples: fc.Arbitrary<readonly Raw[]> = fc
  .array(
    fc.record({
      quantity,
      at: fc.integer({ min: 0, max: 2 }).map(at),
      received: fc.integer({ min: 0, max: 1 }).map(at),
      mark: fc.constantFrom('', 'a', 'é', '\uffee', '😀'),
    }),
    { maxLength: 12 },
  )
  .map((list) => list.map(({ mark, ...rest }, index) => ({ ...rest, eventId: `${mark}${index}` })))

const foldOf = (type: AggregationType, list: readonly Raw[]): Fold =>
  list.reduce(
    (fold, raw) => addToFold(fold, { ...raw, quantity: scaledQuantity(raw.quantity) }),
    emptyFold(type),
  )

const model = (type: AggregationType, list: readonly Raw[]): bigint =>
  modelValue(
    type,
    list.map((raw) => ({
      quantity: scaledQuantity(raw.quantity),
      event: { timestamp: raw.at, receivedAt: raw.received, eventId: raw.eventId },
    })),
  )

describe('folds [meters#aggregation, machines#settling]', () => {
  it('of no events are worth 0, for max and last too', () => {
    for (const type of ['count', 'sum', 'max', 'last'] as const)
      expect(usageOf(emptyFold(type))).toBe(0n)
  })

  it('of events below 0 have a maximum below 0', () => {
    expect(usageOf(foldOf('max', [{ ...zero, quantity: -5 }]))).toBe(-5n * one)
  })

  it('are exact beyond what doubles hold', () => {
    const most = Number.MAX_SAFE_INTEGER
    const sum = foldOf(
      'sum',
      [most, most, 1, 1n].map((value) => ({ ...zero, quantity: value })),
    )
    expect(usageOf(sum)).toBe((2n * BigInt(most) + 1n) * one + 1n)
  })

  it('agree with all samples taken at once', () => {
    fc.assert(
      fc.property(aggregation, samples, (type, list) => {
        const fold = foldOf(type, list)
        expect(usageOf(fold)).toBe(model(type, list))
        expect(fold.events).toBe(list.length)
        expect(fold.last === null).toBe(type !== 'last' || list.length === 0)
      }),
    )
  })

  it('commute and associate', () => {
    fc.assert(
      fc.property(aggregation, samples, samples, samples, (type, ...lists) => {
        // An event is never in two folds, so ids of different folds differ.
        const [a, b, c] = lists.map((list, fold) =>
          foldOf(
            type,
            list.map((raw) => ({ ...raw, eventId: `${raw.eventId}-${fold}` })),
          ),
        )
        if (a === undefined || b === undefined || c === undefined) return
        expect(mergeFolds(a, b)).toEqual(mergeFolds(b, a))
        expect(mergeFolds(a, mergeFolds(b, c))).toEqual(mergeFolds(mergeFolds(a, b), c))
        expect(mergeFolds(a, emptyFold(type))).toEqual(a)
      }),
    )
  })
})

const zero: Raw = { at: at(0), received: at(0), eventId: 'evt', quantity: 0 }

describe('the last event [meters#aggregation]', () => {
  const later = (a: Partial<Raw>, b: Partial<Raw>): bigint =>
    usageOf(
      foldOf('last', [
        { ...zero, ...a, quantity: 1 },
        { ...zero, ...b, quantity: 2 },
      ]),
    )

  it('is the one with the latest timestamp, then log time, then id', () => {
    expect(later({ at: at(1), received: at(0) }, { at: at(0), received: at(9) })).toBe(one)
    expect(later({ received: at(1), eventId: 'a' }, { received: at(0), eventId: 'b' })).toBe(one)
    expect(later({ eventId: 'b' }, { eventId: 'a' })).toBe(one)
  })

  it('is the greater one where even the stored ids are the same', () => {
    expect(later({ eventId: 'x\ud800' }, { eventId: 'x\udc00' })).toBe(2n * one)
  })
})

describe('the order of ids', () => {
  it('is that of their UTF-8 bytes', () => {
    const text = fc.string({ unit: 'binary', maxLength: 4 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        const expected = Buffer.compare(Buffer.from(a), Buffer.from(b))
        expect(Math.sign(compareText(a, b))).toBe(expected)
      }),
    )
    expect(compareText('\uffee', '😀')).toBeLessThan(0)
  })
})

describe('tallies', () => {
  it('end as the fold of the same events', () => {
    fc.assert(
      fc.property(aggregation, samples, (type, list) => {
        const tally = newTally(type)
        for (const { quantity: value, ...key } of list)
          if (type === 'last') tallyLast(tally, key, value)
          else tallyQuantity(tally, value)
        expect(foldOfTally(tally)).toEqual(foldOf(type, list))
      }),
    )
  })
})
