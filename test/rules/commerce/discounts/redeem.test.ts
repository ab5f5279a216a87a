import { describe, expect, it } from 'vitest'
import type { Discount, KeptDiscount } from '../../../../src/rules/commerce/discounts/discount.ts'
import {
  deletedDiscount,
  holdsOn,
  oneCycleOn,
  staysWithPlan,
} from '../../../../src/rules/commerce/discounts/discount.ts'
import type { DiscountedCart, Redeemer } from '../../../../src/rules/commerce/discounts/redeem.ts'
import { newcomer } from '../../../../src/rules/commerce/discounts/redeem.ts'
import { instantOf, second } from '../../../../src/std/instant.ts'
import { at, cart, discount, line, option, redeeming } from './samples.ts'

describe('a discount is refused at redemption [resources#redemption]', () => {
  const later = instantOf(at + second)
  const twoLines = cart(line('pdt_1', 1_000), line(null, 500))
  const paid: Redeemer = { ...newcomer, hasPaid: true }

  it.each<[string, Discount, DiscountedCart, Redeemer]>([
    ['INVALID_DISCOUNT_CODE', deletedDiscount(discount(), at), twoLines, newcomer],
    ['DISCOUNT_NOT_YET_ACTIVE', discount({ startsAt: later }), twoLines, newcomer],
    ['DISCOUNT_CODE_EXPIRED', discount({ expiresAt: at }), twoLines, newcomer],
    [
      'DISCOUNT_CUSTOMER_NOT_ELIGIBLE',
      discount({ customerEligibility: 'first_time' }),
      twoLines,
      paid,
    ],
    [
      'DISCOUNT_CUSTOMER_NOT_ELIGIBLE',
      discount({ customerEligibility: 'existing' }),
      twoLines,
      newcomer,
    ],
    [
      'DISCOUNT_CUSTOMER_NOT_ELIGIBLE',
      discount({ customerEligibility: 'specific' }),
      twoLines,
      paid,
    ],
    ['DISCOUNT_NOT_AVAILABLE_FOR_ON_DEMAND', discount(), { ...twoLines, onDemand: true }, newcomer],
    [
      'DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT',
      discount({ restrictedTo: ['pdt_2'] }),
      twoLines,
      newcomer,
    ],
    ['DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT', discount(), cart(), newcomer],
    [
      'EXCHANGE_RATE_NOT_FOUND',
      discount({ currencyOptions: [option({ currency: 'EUR' })] }),
      twoLines,
      newcomer,
    ],
    [
      'DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET',
      discount({ currencyOptions: [option({ minimumSubtotal: 1_501 })] }),
      twoLines,
      newcomer,
    ],
    [
      'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED',
      discount({ usageLimit: 2, timesUsed: 2 }),
      twoLines,
      newcomer,
    ],
    [
      'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED',
      discount({ perCustomerUsageLimit: 1 }),
      twoLines,
      { ...newcomer, uses: 1 },
    ],
  ])('with %s', (code, of, wanted, redeemer) => {
    const refused = redeeming(of, wanted, redeemer)
    expect(refused).toMatchObject({ code })
    expect('problem' in refused && refused.problem).toContain("'SAVE'")
  })

  it('in one order, whatever else is wrong', () => {
    const all = discount({
      startsAt: later,
      expiresAt: at,
      customerEligibility: 'specific',
      restrictedTo: ['pdt_2'],
      usageLimit: 1,
      timesUsed: 1,
      currencyOptions: [option({ currency: 'EUR' })],
      perCustomerUsageLimit: 1,
    })
    const demanded = { ...twoLines, onDemand: true }
    const mended: readonly Partial<Discount>[] = [
      { startsAt: null },
      { expiresAt: null },
      { customerEligibility: 'any' },
      {},
      { restrictedTo: [] },
      { currencyOptions: [option({ minimumSubtotal: 9_000 })] },
      { currencyOptions: [] },
      { usageLimit: null },
      { perCustomerUsageLimit: null },
    ]
    const codes: string[] = []
    let now = all
    let wanted: DiscountedCart = demanded
    for (const each of mended) {
      const refused = redeeming(now, wanted, { ...newcomer, uses: 1 })
      codes.push('code' in refused ? refused.code : 'redeemed')
      now = { ...now, ...each }
      if (Object.keys(each).length === 0) wanted = twoLines
    }
    expect(codes).toEqual([
      'DISCOUNT_NOT_YET_ACTIVE',
      'DISCOUNT_CODE_EXPIRED',
      'DISCOUNT_CUSTOMER_NOT_ELIGIBLE',
      'DISCOUNT_NOT_AVAILABLE_FOR_ON_DEMAND',
      'DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT',
      'EXCHANGE_RATE_NOT_FOUND',
      'DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET',
      'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED',
      'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED',
    ])
    expect(redeeming(now, wanted, { ...newcomer, uses: 1 })).toMatchObject({ deduction: 150 })
  })
})

describe('a discount of a subscription', () => {
  it('lowers as many payments as its cycles say', () => {
    let kept: KeptDiscount = { discount: discount(), cyclesRemaining: 2 }
    const held: boolean[] = []
    for (let cycle = 0; cycle < 4; cycle += 1) {
      held.push(holdsOn(kept))
      kept = oneCycleOn(kept)
    }
    expect(held).toEqual([true, true, false, false])
    const forEver = { discount: discount(), cyclesRemaining: null }
    expect([holdsOn(forEver), oneCycleOn(forEver)]).toEqual([true, forEver])
  })

  it('stays through a change of the plan only where it says so, and for its products', () => {
    const of = discount({ preserveOnPlanChange: true, restrictedTo: ['pdt_1'] })
    expect([staysWithPlan(of, 'pdt_1'), staysWithPlan(of, 'pdt_2')]).toEqual([true, false])
    expect(staysWithPlan(discount(), 'pdt_1')).toBe(false)
  })
})
