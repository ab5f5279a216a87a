import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recentUse } from '../../src/runtime/recent-use.ts'
import { runs } from '../support/run/runs.ts'

const halfMs = 1_000

/** `rounds` times 100 ms, of which each name uses so many. */
function usedFor(rounds: number, taken: Readonly<Record<string, number>>) {
  let now = 0
  const use = recentUse(halfMs, () => now)
  const goOn = (times: number) => {
    for (let round = 0; round < times; round += 1) {
      now += 100
      for (const [name, ms] of Object.entries(taken)) use.add(name, ms)
    }
  }
  goOn(rounds)
  return { ...use, goOn }
}

describe('what was used lately', () => {
  it('is most of one who takes nearly all of the time beside others who take some', () => {
    const use = usedFor(50, { greedy: 90, other: 10 })
    expect(use.isMost('greedy')).toBe(true)
    expect(use.isMost('other')).toBe(false)
  })

  it('is never most of one who is alone, nor long after the others have gone', () => {
    const use = usedFor(50, { one: 100 })
    expect(use.isMost('one')).toBe(false)
    use.add('other', 500)
    expect(use.isMost('one')).toBe(true)
    use.goOn(20)
    expect(use.isMost('one')).toBe(false)
  })

  it('is not most of one who takes less than half of the time', () => {
    expect(usedFor(50, { one: 40, other: 10 }).isMost('one')).toBe(false)
  })

  it('is what adding up all that was used, each by its age, comes to', () => {
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      ms: fc.integer({ min: 0, max: 400 }),
      later: fc.integer({ min: 0, max: 3_000 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 0
        const use = recentUse(halfMs, () => now)
        const used: { readonly name: string; readonly ms: number; readonly at: number }[] = []
        for (const { name, ms, later } of steps) {
          now += later
          use.add(name, ms)
          used.push({ name, ms, at: now })
          const sum = (isIn: (of: string) => boolean): number =>
            used
              .filter((one) => isIn(one.name))
              .reduce((total, one) => total + one.ms * 2 ** ((one.at - now) / halfMs), 0)
          for (const one of ['a', 'b', 'c']) {
            const [own, others] = [sum((of) => of === one), sum((of) => of !== one)]
            const edges = [own - halfMs / Math.LN2 / 2, own - others, others * 10 - own]
            // At an edge itself either is right.
            if (edges.some((edge) => Math.abs(edge) < 2)) continue
            expect(use.isMost(one)).toBe(edges.every((edge) => edge > 0))
          }
        }
      }),
      runs(200),
    )
  })
})
