import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeCart } from '../../../../src/rules/commerce/payments/change-cart.ts'
import { runs } from '../../../support/run/runs.ts'
import { discount } from '../discounts/samples.ts'
import { running } from '../subscriptions/subscribed.ts'

const modes = ['prorated_immediately', 'difference_immediately', 'full_immediately'] as const
const amount = fc.oneof(fc.nat(50), fc.nat(100_000))

const anyChange = fc.record({
  mode: fc.constantFrom(...modes),
  from: amount,
  plan: amount,
  addons: fc.array(fc.record({ price: amount, quantity: fc.integer({ min: 1, max: 5 }) }), {
    maxLength: 3,
  }),
  percents: fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 3 }),
  usage: fc.array(amount, { maxLength: 2 }),
  owed: amount,
  rate: fc.constantFrom<number>(0, 70_000, 190_000, 81_250),
  inclusive: fc.boolean(),
  left: fc.nat(999),
  of: fc.integer({ min: 999, max: 2_000 }),
})

type AnyChange = typeof anyChange extends fc.Arbitrary<infer T> ? T : never

/** The whole number nearest to over ÷ under; of two as near, the larger. */
function halfUp(over: bigint, under: bigint): bigint {
  let whole = over / under
  while (whole * under > over) whole -= 1n
  const rest = over - whole * under
  return rest + rest >= under ? whole + 1n : whole
}

/** What a change charges by the sentences of the manual, one after another. */
function slowChange(of: AnyChange) {
  let price = BigInt(of.plan)
  for (const { price: each, quantity } of of.addons) price += BigInt(each) * BigInt(quantity)
  for (const percent of of.percents) price -= halfUp(price * BigInt(percent), 10_000n)
  const difference = price - BigInt(of.from)
  const charges: Record<(typeof modes)[number], bigint> = {
    prorated_immediately: halfUp(difference * BigInt(of.left), BigInt(of.of)),
    difference_immediately: difference,
    full_immediately: price,
  }
  let left = charges[of.mode]
  for (const each of of.usage) left += BigInt(each)
  left -= BigInt(of.owed)
  const due = left > 0n ? left : 0n
  const owed = left < 0n ? -left : 0n
  const [rate, whole] = [BigInt(of.rate), 1_000_000n]
  const tax = of.inclusive ? halfUp(due * rate, whole + rate) : halfUp(due * rate, whole)
  return { tax, owed, total: of.inclusive ? due : due + tax }
}

const cartOf = (of: AnyChange) => {
  const addons = of.addons.map((addon, index) => ({
    ...addon,
    addonId: `adn_${index}`,
    name: '',
    description: null,
    taxCategory: 'saas' as const,
  }))
  const carried = addons.reduce((all, { price, quantity }) => all + price * quantity, 0)
  return changeCart({
    subscription: {
      ...running,
      addons,
      recurringPreTaxAmount: of.plan + carried,
      taxInclusive: of.inclusive,
      owed: of.owed,
      discounts: of.percents.map((percent, index) => ({
        discount: discount({ discountId: `dsc_${index}`, amount: percent }),
        cyclesRemaining: index === 0 ? null : index,
      })),
    },
    product: { name: 'Plan', description: null, taxCategory: 'saas' },
    taxes: [{ country: 'DE', region: null, category: null, rate: of.rate }],
    usage: of.usage.map((price, index) => ({
      itemId: `mtr_${index}`,
      name: null,
      description: null,
      price,
    })),
    mode: of.mode,
    rest: { left: BigInt(of.left), of: BigInt(of.of) },
    from: of.from,
  })
}

describe('what a plan change charges [subscriptions#plan-changes]', () => {
  it('is what the manual says, to the unit, and no unit is made or lost among the lines', () => {
    fc.assert(
      fc.property(anyChange, (of) => {
        const slow = slowChange(of)
        const { charged, lines, owed, tax, total, ...cart } = cartOf(of)
        expect([total, tax, owed].map(BigInt)).toEqual([slow.total, slow.tax, slow.owed])
        expect(lines.reduce((all, line) => all + line.amount + line.tax, 0)).toBe(total)
        expect(lines.every((line) => line.amount >= 0 && line.tax >= 0)).toBe(true)
        expect(charged.due).toBe(of.inclusive ? total : total - tax)
        expect(owed).toBe(of.owed - charged.used + charged.added)
        // It counts as one of the payments that a code lowers.
        expect(cart.discounts.map(({ cyclesRemaining }) => cyclesRemaining)).toEqual(
          of.percents.map((_, index) => (index === 0 ? null : index - 1)),
        )
      }),
      runs(2_000),
    )
  })

  it('for 30 to 80 at half of the cycle is 25, 50 and 80, and with 19 % on top 29.75', () => {
    const of = {
      from: 3_000,
      plan: 8_000,
      addons: [],
      percents: [],
      usage: [],
      owed: 0,
      rate: 0,
      inclusive: false,
      left: 1,
      of: 2,
    }
    expect(modes.map((mode) => cartOf({ ...of, mode }).total)).toEqual([2_500, 5_000, 8_000])
    const taxed = cartOf({ ...of, mode: 'prorated_immediately', rate: 190_000 })
    expect(taxed).toMatchObject({ total: 2_975, tax: 475 })
  })
})
