import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Check = (headers: Readonly<Record<string, string>>, now: number) => readonly number[]

/** The lines of the manual, as a receiver would have them. */
function fromManual(): Check {
  const page = readFileSync(new URL('../../src/pages/docs/webhooks.md', import.meta.url), 'utf8')
  const [, lines = ''] = /```js\n([^`]*function gaps[^`]*)```/.exec(page) ?? []
  expect(lines.trim().split('\n').length).toBeLessThanOrEqual(11)
  return new Function(`${lines}; return gaps`)() as Check
}

const message = (sequence: number, previous: number) => ({
  'sluice-sequence': String(sequence),
  'sluice-previous': String(previous),
})

describe('the lines of the manual that check for gaps', () => {
  it('find nothing where everything comes, in whatever order, and more than once', () => {
    const gaps = fromManual()
    for (const [at, sequence] of [1, 3, 2, 2, 5, 4, 6].entries()) {
      expect(gaps(message(sequence, sequence - 1), at * 20_000)).toEqual([])
    }
    expect(gaps(message(7, 6), 999_000)).toEqual([])
  })

  it('name what is missing for a minute, from the newest back to the oldest', () => {
    const gaps = fromManual()
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
    const gaps = fromManual()
    gaps(message(1, 0), 0)
    gaps(message(3, 1), 0)
    expect(gaps(message(4, 3), 999_000)).toEqual([])
  })
})
