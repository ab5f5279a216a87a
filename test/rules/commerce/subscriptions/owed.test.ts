import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargedTo } from '../../../../src/rules/commerce/subscriptions/owed.ts'

describe('a charge of a subscription', () => {
  it('is paid from what is owed first, and below 0 is owed', () => {
    expect(chargedTo(0, 900)).toEqual({ due: 900, used: 0, added: 0, owed: 0 })
    expect(chargedTo(250, 900)).toEqual({ due: 650, used: 250, added: 0, owed: 0 })
    expect(chargedTo(1_000, 900)).toEqual({ due: 0, used: 900, added: 0, owed: 100 })
    expect(chargedTo(100, -900)).toEqual({ due: 0, used: 0, added: 900, owed: 1_000 })
  })

  it('loses and makes no money, over any charges', () => {
    const charges = fc.array(fc.integer({ min: -10_000, max: 10_000 }))
    fc.assert(
      fc.property(charges, (all) => {
        let [owed, paid] = [0, 0]
        for (const charge of all) {
          const charged = chargedTo(owed, charge)
          expect(Math.min(charged.due, charged.owed)).toBe(0)
          owed = charged.owed
          paid += charged.due
        }
        expect(paid - owed).toBe(all.reduce((sum, charge) => sum + charge, 0))
      }),
    )
  })
})
