import { describe, expect, it } from 'vitest'
import { gapsOfManual } from '../support/webhooks/gaps.ts'

const message = (sequence: number, previous: number) => ({
  'sluice-sequence': String(sequence),
  'sluice-previous': String(previous),
})

describe('the lines of the manual that check for gaps', () => {
  it('are ten', () => {
    expect(gapsOfManual().lines).toBeLessThanOrEqual(11)
  })

  it('find nothing where everything comes, in whatever order, and more than once', () => {
    const { gaps } = gapsOfManual()
    for (const [at, sequence] of [1, 3, 2, 2, 5, 4, 6].entries()) {
      expect(gaps(message(sequence, sequence - 1), at * 20_000)).toEqual([])
    }
    expect(gaps(message(7, 6), 999_000)).toEqual([])
  })

  it('name what is missing for a minute, from the newest back to the oldest', () => {
    const { gaps } = gapsOfManual()
    gaps(message(1, 0), 0)
    expect(gaps(message(5, 4), 0)).toEqual([])
    expect(gaps(message(6, 5), 61_000)).toEqual([4])
    gaps(message(4, 3), 62_000)
    expect(gaps(message(7, 6), 124_000)).toEqual([3])
    gaps(message(3, 2), 125_000)
    gaps(message(2, 1), 125_000)
    expect(gaps(message(8, 7), 999_000)).toEqual([])
  })

  it('miss no test that got lost', () => {
    const { gaps } = gapsOfManual()
    gaps(message(1, 0), 0)
    gaps(message(3, 1), 0)
    expect(gaps(message(4, 3), 999_000)).toEqual([])
  })
})
