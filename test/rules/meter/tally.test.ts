import { describe, expect, it } from 'vitest'
import { addToFold, emptyFold, mergeFolds, usageOf } from '../../../src/rules/meter/fold.ts'
import type { AggregationType } from '../../../src/rules/meter/meter.ts'
import { usage } from '../../../src/rules/meter/route.ts'
import { foldOfTally, newTally, tallyLast, tallyQuantity } from '../../../src/rules/meter/tally.ts'
import { at, one } from './arbitraries.ts'

const tallied = (aggregation: AggregationType, ...quantities: readonly (number | bigint)[]) => {
  const tally = newTally(aggregation)
  for (const quantity of quantities) tallyQuantity(tally, quantity)
  return foldOfTally(tally)
}
const key = (eventId: string) => ({ at: at(0), received: at(0), eventId })

describe('a tally', () => {
  it('is exact beyond what a double holds', () => {
    const most = Number.MAX_SAFE_INTEGER
    expect(tallied('sum', most, 1, 1, 3).value).toBe((BigInt(most) + 5n) * one)
    expect(tallied('sum', -most, -1, -1, -3).value).toBe((BigInt(-most) - 5n) * one)
    expect(tallied('sum', most, 1n, 2).value).toBe((BigInt(most) + 2n) * one + 1n)
  })

  it('of a max takes whole numbers and decimals for what they are', () => {
    expect(tallied('max', 2, 2n * one + 1n).value).toBe(2n * one + 1n)
    expect(tallied('max', 2n * one + 1n, 3).value).toBe(3n * one)
    expect(tallied('max', -7n, -9n).value).toBe(-7n)
  })

  it('counts events, whatever they add', () => {
    expect(tallied('count', 5, 7)).toMatchObject({ events: 2, value: 2n * one })
    expect(tallied('count')).toMatchObject({ events: 0, value: 0n })
  })

  it('of a last keeps the greater value of one key, in any order, as folds do', () => {
    for (const [first, second] of [
      [3, 5],
      [5, 3],
      [5n * one, 3n * one],
      [3n * one, 5n * one],
    ] as const) {
      const tally = newTally('last')
      tallyLast(tally, key('evt_1'), first)
      tallyLast(tally, key('evt_1'), second)
      expect(foldOfTally(tally).value).toBe(5n * one)
    }
    const fold = (quantity: bigint) =>
      addToFold(emptyFold('last'), { ...key('evt_1'), quantity: usage(quantity) })
    expect(mergeFolds(fold(3n), fold(5n)).value).toBe(5n)
    expect(mergeFolds(fold(5n), fold(3n)).value).toBe(5n)
  })

  it('of a last goes from a decimal to a whole number and back', () => {
    const tally = newTally('last')
    tallyLast(tally, key('evt_1'), 5n * one + 1n)
    tallyLast(tally, key('evt_2'), 3)
    expect(foldOfTally(tally).value).toBe(3n * one)
    tallyLast(tally, key('evt_3'), 7n)
    expect(foldOfTally(tally).value).toBe(7n)
  })
})

it('no events are no usage, also of a max and a last', () => {
  expect(usageOf({ ...emptyFold('max'), value: usage(9n) })).toBe(0n)
})
