import { expect, it } from 'vitest'
import { readingPace } from '../../../src/engine/measuring/reading-pace.ts'

it('leaves a gap between two batches: as long as a commit, but some 10 to 20 ms', () => {
  const gapAfter = (...commits: readonly number[]) => {
    const pace = readingPace()
    for (const ms of commits) pace.committed(ms)
    return pace.gapMs()
  }
  expect(gapAfter()).toBe(10)
  expect(gapAfter(2, 3, 2)).toBe(10)
  expect(gapAfter(15, 14, 16)).toBe(15)
  expect(gapAfter(60, 5_000, 70)).toBe(20)
})

it('rests while a commit is under way, so that the next batch is measured as that ends', () => {
  const pace = readingPace()
  for (const ms of [8, 10, 12]) pace.measured(ms)
  for (const ms of [30, 5_000, 20]) pace.committed(ms)
  expect(pace.restMs()).toBe(30 - 10)
})
