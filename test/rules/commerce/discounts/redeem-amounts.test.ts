import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Discount } from '../../../../src/rules/commerce/discounts/discount.ts'
import { customerEligibilities } from '../../../../src/rules/commerce/discounts/discount.ts'
import type { DiscountedLine } from '../../../../src/rules/commerce/discounts/redeem.ts'
import {
  heldRefusal,
  newcomer,
  redeem,
  redeemAll,
} from '../../../../src/rules/commerce/discounts/redeem.ts'
import { instantOf } from '../../../../src/std/instant.ts'
import { runs } from '../../../support/run/runs.ts'
import { fraction, nearest } from '../../money/slow.ts'
import { at, cart, discount, flat, line, option, redeeming } from './samples.ts'

describe('a discount is redeemed', () => {
  const amountOf = (...given: Parameters<typeof redeeming>) => {
    const redeemed = redeeming(...given)
    return 'deduction' in redeemed ? [redeemed.deduction, ...redeemed.shares] : redeemed
  }

  it('from its start up to its end', () => {
    const of = discount({ startsAt: at, expiresAt: instantOf(at + 1) })
    expect(amountOf(of)).toEqual([100, 100])
    const codes = (given: Discount, moment = at) => {
      const redeemed = redeem(
        { discount: given, redeemer: null },
        cart(line('pdt_1', 1_000)),
        moment,
      )
      return 'code' in redeemed ? redeemed.code : redeemed.deduction
    }
    expect(codes(of, instantOf(at + 1))).toBe('DISCOUNT_CODE_EXPIRED')
    expect(codes(of, instantOf(at - 1))).toBe('DISCOUNT_NOT_YET_ACTIVE')
    expect(codes({ ...of, usageLimit: 1, timesUsed: 1 })).toBe('DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED')
    expect(codes({ ...of, usageLimit: 2, timesUsed: 1 })).toBe(100)
    expect(heldRefusal({ ...of, usageLimit: 2, timesUsed: 1 })).toBeNull()
    const held = { ...of, usageLimit: 2, timesUsed: 1, held: 1 }
    expect(codes(held)).toBe(100)
    expect(heldRefusal(held)?.code).toBe('DISCOUNT_CONCURRENT_REDEMPTION')
  })

  it.each(customerEligibilities)('by who is eligible: %s', (customerEligibility) => {
    const redeemers = [newcomer, { ...newcomer, hasPaid: true }, { ...newcomer, attached: true }]
    const redeemed = redeemers.map(
      (redeemer) =>
        'deduction' in redeeming(discount({ customerEligibility }), undefined, redeemer),
    )
    const expected = {
      any: [true, true, true],
      first_time: [true, false, true],
      existing: [false, true, false],
      specific: [false, false, true],
    }
    expect(redeemed).toEqual(expected[customerEligibility])
  })

  it('on the lines that it is for, add-ons only without a restriction', () => {
    const lines = cart(line('pdt_1', 1_000), line('pdt_2', 500), line(null, 300))
    expect(amountOf(discount(), lines)).toEqual([180, 100, 50, 30])
    expect(amountOf(discount({ restrictedTo: ['pdt_2'] }), lines)).toEqual([50, 0, 50, 0])
    expect(amountOf(flat(700, { restrictedTo: ['pdt_2'] }), lines)).toEqual([500, 0, 500, 0])
  })

  it('with the cap, the minimum and the deduction of its currency', () => {
    const options = [option({ currency: 'EUR' }), option({ maxAmountPossible: 90 })]
    expect(amountOf(discount({ currencyOptions: options }))).toEqual([90, 90])
    const least = [option({ minimumSubtotal: 1_000 })]
    expect(amountOf(discount({ currencyOptions: least }))).toEqual([100, 100])
    // The minimum looks at what the lines cost before other codes; the percentage at what is left.
    const reduced = cart(line('pdt_1', 1_000, 400))
    expect(amountOf(discount({ currencyOptions: least }), reduced)).toEqual([40, 40])
    expect(amountOf(flat(250))).toEqual([250, 250])
    expect(amountOf(flat(5_000))).toEqual([1_000, 1_000])
    expect(amountOf(discount({ amount: 10_000 }), cart(line('pdt_1', 0)))).toEqual([0, 0])
  })

  it('one after another, each on what the last has left', () => {
    const stack = [
      discount(),
      flat(100, { discountId: 'dsc_2' }),
      discount({ discountId: 'dsc_3', amount: 10_000, restrictedTo: ['pdt_1'] }),
    ].map((each) => ({ discount: each, redeemer: newcomer }))
    const wanted = cart(line('pdt_1', 1_000), line('pdt_2', 1_000))
    const redeemed = redeemAll(stack, wanted, at)
    expect(redeemed).toMatchObject([
      { deduction: 200, shares: [100, 100] },
      { deduction: 100, shares: [50, 50] },
      { deduction: 850, shares: [850, 0] },
    ])
    const [first] = stack
    if (first === undefined) throw new Error('No stack.')
    expect(redeemAll([first, first], wanted, at)).toMatchObject({ code: 'INVALID_DISCOUNT_CODE' })
    const many = Array.from({ length: 21 }, (_, n) => ({
      discount: discount({ discountId: `dsc_${n}` }),
      redeemer: newcomer,
    }))
    expect(redeemAll(many, wanted, at)).toMatchObject({ code: 'INVALID_DISCOUNT_CODE' })
    expect(redeemAll(many.slice(1), wanted, at)).toHaveLength(20)
    const over = { discount: discount({ expiresAt: at, discountId: 'x' }), redeemer: newcomer }
    expect(redeemAll([first, over], wanted, at)).toMatchObject({ code: 'DISCOUNT_CODE_EXPIRED' })
  })

  it('never takes more than there is, and takes what fractions say', () => {
    const lines = fc.array(
      fc.record({
        productId: fc.constantFrom('pdt_1', 'pdt_2', null),
        original: fc.integer({ min: 0, max: 100_000 }),
      }),
      { minLength: 1, maxLength: 6 },
    )
    const of = fc.record({
      flat: fc.boolean(),
      amount: fc.integer({ min: 1, max: 10_000 }),
      cap: fc.option(fc.integer({ min: 1, max: 50_000 })),
      restrictedTo: fc.constantFrom([], ['pdt_1'], ['pdt_1', 'pdt_2']),
    })
    fc.assert(
      fc.property(lines, fc.array(of, { minLength: 1, maxLength: 4 }), (wanted, stack) => {
        const discounts = stack.map((each, index) =>
          discount({
            discountId: `dsc_${index}`,
            type: each.flat ? 'flat' : 'percentage',
            amount: each.amount,
            restrictedTo: each.restrictedTo,
            currencyOptions:
              each.flat || each.cap !== null
                ? [option({ maxAmountPossible: each.cap ?? 100 })]
                : [],
          }),
        )
        const whole = cart(...wanted.map(({ productId, original }) => line(productId, original)))
        const redeemed = redeemAll(
          discounts.map((each) => ({ discount: each, redeemer: newcomer })),
          whole,
          at,
        )
        const expected = slowly(discounts, whole.lines)
        if ('problem' in redeemed) {
          expect(expected).toBeNull()
          return
        }
        expect(redeemed.map(({ deduction }) => BigInt(deduction))).toEqual(expected)
        const left = whole.lines.map(({ original }, index) =>
          redeemed.reduce((rest, { shares }) => rest - (shares[index] ?? 0), original),
        )
        expect(Math.min(...left)).toBeGreaterThanOrEqual(0)
        for (const { deduction, shares } of redeemed) {
          expect(shares.reduce((all, share) => all + share, 0)).toBe(deduction)
        }
      }),
      runs(300),
    )
  })
})

/** What each takes off, in whole numbers alone; null: one is for none of the lines. */
function slowly(
  discounts: readonly Discount[],
  lines: readonly DiscountedLine[],
): readonly bigint[] | null {
  const taken: bigint[] = []
  let all: readonly bigint[] = lines.map(({ left }) => BigInt(left))
  for (const each of discounts) {
    const counts = lines.map(({ productId }) =>
      productId === null
        ? each.restrictedTo.length === 0
        : each.restrictedTo.length === 0 || each.restrictedTo.includes(productId),
    )
    if (!counts.includes(true)) return null
    const left = all.reduce((sum, one, index) => (counts[index] ? sum + one : sum), 0n)
    const part =
      each.type === 'flat' ? left : nearest(fraction(left * BigInt(each.amount), 10_000n))
    const cap = BigInt(each.currencyOptions[0]?.maxAmountPossible ?? Number.MAX_SAFE_INTEGER)
    const off = part < cap ? part : cap
    taken.push(off < left ? off : left)
    all = shared(all, counts, taken.at(-1) ?? 0n)
  }
  return taken
}

/** Unit by unit: shares rounded down, the rest to the largest that still has some. */
function shared(
  left: readonly bigint[],
  counts: readonly boolean[],
  off: bigint,
): readonly bigint[] {
  const own = left.map((one, index) => (counts[index] ? one : 0n))
  const sum = own.reduce((all, one) => all + one, 0n)
  if (sum === 0n) return left
  const rest = left.map((one, index) => one - (off * (own[index] ?? 0n)) / sum)
  let more = off - own.reduce((all, one) => all + (off * one) / sum, 0n)
  const order = own
    .map((_, index) => index)
    .toSorted((a, b) => {
      const [x = 0n, y = 0n] = [own[a], own[b]]
      return x === y ? a - b : x > y ? -1 : 1
    })
  for (const index of order) {
    while (more > 0n && own[index] !== 0n && (rest[index] ?? 0n) > 0n) {
      rest[index] = (rest[index] ?? 0n) - 1n
      more -= 1n
    }
  }
  return rest
}
