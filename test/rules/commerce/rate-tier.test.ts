import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRateTier, unlimited } from '../../../src/rules/commerce/rate-tier.ts'

describe('the grammar of rate tiers', () => {
  it('knows the tiers of the contract by name', () => {
    expect(parseRateTier('0')).toEqual({ burst: 40, sustained: 240 })
    expect(parseRateTier('1')).toEqual({ burst: 100, sustained: 1_000 })
    expect(parseRateTier('2')).toEqual({ burst: 500, sustained: 5_000 })
    expect(parseRateTier('unlimited')).toBe(unlimited)
  })

  it('reads any pair of whole numbers that is not smaller in a minute than in a second', () => {
    const count = fc.integer({ min: 1, max: 999_999_999 })
    fc.assert(
      fc.property(count, count, (burst, sustained) => {
        const expected = sustained >= burst ? { burst, sustained } : null
        expect(parseRateTier(`${burst}/${sustained}`)).toEqual(expected)
      }),
    )
  })

  it.each(['', '3', '-1', '0/0', '0/10', '10', '10/', '/10', '1.5/3', '01/10', '1/2/3', '1 / 2'])(
    'refuses %j',
    (text) => {
      expect(parseRateTier(text)).toBeNull()
    },
  )

  it.each(['constructor', '__proto__', 'toString'])('is not fooled by %s', (text) => {
    expect(parseRateTier(text)).toBeNull()
  })
})
