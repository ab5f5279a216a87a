import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recentUse } from '../../src/runtime/recent-use.ts'
import { runs } from '../support/run/runs.ts'

const halfMs = 1_000

describe('what was used lately', () => {
  it('is most of one who takes nearly all of the time beside others who take some', () => {
    let now = 0
    const use = recentUse(halfMs, () => now)
    for (let round = 0; round < 50; round += 1) {
      now += 100
      use.add('greedy', 90)
      use.add('other', 10)
    }
    expect(use.isMost('greedy')).toBe(true)
    expect(use.isMost('other')).toBe(false)
  })

  it('is never most of one who is alone, nor long after the others have gone', () => {
    let now = 0
    const use = recentUse(halfMs, () => now)
    for (let round = 0; round < 50; round += 1) {
      now += 100
      use.add('one', 100)
    }
    expect(use.isMost('one')).toBe(false)
    use.add('other', 500)
    expect(use.isMost('one')).toBe(true)
    for (let round = 0; round < 20; round += 1) {
      now += 100
      use.add('one', 100)
    }
    expect(use.isMost('one')).toBe(false)
  })

  it('is not most of one who takes less than half of the time', () => {
    let now = 0
    const use = recentUse(halfMs, () => now)
    for (let round = 0; round < 50; round += 1) {
      now += 100
      use.add('one', 40)
      use.add('other', 10)
    }
    expect(use.isMost('one')).toBe(false)
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
