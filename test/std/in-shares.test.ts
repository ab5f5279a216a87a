import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShareRoom } from '../../src/std/in-shares.ts'
import { inShares } from '../../src/std/in-shares.ts'

/** Sources of which each holds items of these sizes. */
const sourcesOf = (sizes: readonly (readonly number[])[]): number[][] =>
  sizes.map((each) => [...each])

/** Takes from the front what fits, as each log does. */
function take(items: number[], { share, left, atLeastOne }: ShareRoom): readonly number[] {
  let [sum, count] = [0, 0]
  for (const size of items) {
    sum += size
    if (sum > share) break
    count += 1
  }
  const first = items[0]
  if (count === 0 && first !== undefined && (atLeastOne || first <= left)) count = 1
  return items.splice(0, count)
}

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)

/** What was taken of each source, in the order of the sources. */
function takenOf(sizes: readonly (readonly number[])[], most: number): (readonly number[])[] {
  const sources = sourcesOf(sizes)
  const taken = inShares(sources, most, { take, sizeOf: (size) => size })
  return sources.map((source) => taken.get(source) ?? [])
}

describe('taking in shares', () => {
  it.each([
    ['first', [Array<number>(90).fill(10), [10], [10, 10]]],
    ['last', [[10, 10], [10], Array<number>(90).fill(10)]],
  ])('takes all where all fits, though the %s source has most of it', (_, sizes) => {
    expect(takenOf(sizes, 930)).toEqual(sizes)
  })

  it('leaves only what does not fit, and keeps each its part', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 20 })
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 6 }), fc.nat(600), (all, most) => {
        const taken = takenOf(all, most)
        const sum = sumOf(taken.flat())
        if (taken.flat().length > 1) expect(sum).toBeLessThanOrEqual(most)
        expect(taken.flat().length > 0).toBe(all.flat().length > 0)
        const share = Math.floor(most / all.length)
        const isEachSmall = all.flat().every((size) => size <= share)
        for (const [index, items] of all.entries()) {
          const mine = taken[index] ?? []
          expect(mine).toEqual(items.slice(0, mine.length))
          const next = items[mine.length]
          if (next === undefined) continue
          expect(sum + next).toBeGreaterThan(most)
          if (isEachSmall) expect(sumOf(mine) + next).toBeGreaterThan(share)
        }
      }),
    )
  })
})
