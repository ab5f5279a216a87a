import { expect, it } from 'vitest'
import { readIndexes, writeIndexes } from '../../src/std/index-ranges.ts'

it('tells indexes in stretches, and no more of them than may be', () => {
  expect(writeIndexes([], 3)).toBe('')
  expect(writeIndexes([4], 3)).toBe('4')
  expect(writeIndexes([0, 1, 2, 5, 7, 8], 3)).toBe('0-2, 5, 7-8')
  expect(writeIndexes([0, 2, 4, 5, 6, 8], 3)).toBe('0, 2, 4-6')
})

it('reads what it has told, below a bound, and leaves out what is none', () => {
  expect(readIndexes('0-2, 5, 7-8', 100)).toEqual([0, 1, 2, 5, 7, 8])
  expect(readIndexes('0-999999,3', 4)).toEqual([0, 1, 2, 3])
  expect(readIndexes('7-5, -1, 1-, a, 2.5, 1e3, , 3', 10)).toEqual([3])
  expect(readIndexes('', 10)).toEqual([])
})
