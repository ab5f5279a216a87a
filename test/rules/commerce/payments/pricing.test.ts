import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Addon } from '../../../../src/rules/commerce/catalog/addon.ts'
import type { Discount, KeptDiscount } from '../../../../src/rules/commerce/discounts/discount.ts'
import type { PricedCart } from '../../../../src/rules/commerce/payments/cart.ts'
import { pricedCart } from '../../../../src/rules/commerce/payments/cart.ts'
import { renewalCart } from '../../../../src/rules/commerce/payments/renewal-cart.ts'
import { planOf } from '../../../../src/rules/commerce/subscriptions/start.ts'
import { taxCategories } from '../../../../src/rules/commerce/tax-category.ts'
import { instantOf } from '../../../../src/std/instant.ts'
import { runs } from '../../../support/run/runs.ts'
import { at, discount } from '../discounts/samples.ts'
import { item, onceFor, productOf, recurringFor } from './purchases.ts'
import type { SlowCode, SlowLine } from './slow-cart.ts'
import { slowCart } from './slow-cart.ts'

const amount = fc.oneof(fc.nat(50), fc.nat(100_000))
const rates = [0, 70_000, 190_000, 81_250]
const money = fc.record({ price: amount, quantity: fc.integer({ min: 1, max: 40 }) })

const anyCode = fc.record({
  basisPoints: fc.option(fc.integer({ min: 1, max: 10_000 })),
  bound: amount,
  hasBound: fc.boolean(),
  restricted: fc.boolean(),
})

const anyCart = fc.record({
  inclusive: fc.boolean(),
  own: fc.nat(100),
  plan: money,
  once: fc.array(fc.record({ money, own: fc.nat(100), inclusive: fc.boolean() }), {
    maxLength: 3,
  }),
  addons: fc.array(money, { maxLength: 3 }),
  codes: fc.array(anyCode, { maxLength: 3 }),
  categories: fc.array(fc.nat(3), { minLength: 7, maxLength: 7 }),
  owed: amount,
})

type AnyCart = typeof anyCart extends fc.Arbitrary<infer T> ? T : never

const categoryOf = (cart: AnyCart, index: number) =>
  taxCategories[cart.categories[index] ?? 0] ?? 'saas'
const rateOf = (cart: AnyCart, index: number) => rates[cart.categories[index] ?? 0] ?? 0

const codeOf = (given: AnyCart['codes'][number], index: number): Discount =>
  discount({
    discountId: `dsc_${index}`,
    type: given.basisPoints === null ? 'flat' : 'percentage',
    amount: given.basisPoints ?? 0,
    restrictedTo: given.restricted ? ['pdt_plan'] : [],
    currencyOptions:
      given.basisPoints === null || given.hasBound
        ? [{ currency: 'EUR', isDefault: true, minimumSubtotal: 0, maxAmountPossible: given.bound }]
        : [],
  })

const slowCode = (given: AnyCart['codes'][number]): SlowCode => ({
  basisPoints: given.basisPoints,
  bound: given.basisPoints === null || given.hasBound ? given.bound : null,
  products: given.restricted ? ['pdt_plan'] : [],
})

const taxes = taxCategories.map((category, index) => ({
  country: 'DE' as const,
  region: null,
  category,
  rate: rates[index] ?? 0,
}))

const addonOf = (cart: AnyCart, index: number): Addon => ({
  addonId: `adn_${index}`,
  name: `adn_${index}`,
  description: null,
  price: cart.addons[index]?.price ?? 0,
  currency: 'EUR',
  taxCategory: categoryOf(cart, 4 + index),
  imageId: null,
  createdAt: at,
  updatedAt: at,
})

function objectsOf(cart: AnyCart) {
  const addons = cart.addons.map((_, index) => addonOf(cart, index))
  const ids = addons.map(({ addonId }) => addonId)
  const price = recurringFor(cart.plan.price, { discount: cart.own, taxInclusive: cart.inclusive })
  const plan = productOf('pdt_plan', price, { addonIds: ids, taxCategory: categoryOf(cart, 0) })
  const others = cart.once.map(({ inclusive, money: { price }, own }, index) =>
    productOf(`pdt_${index}`, onceFor(price, { discount: own, taxInclusive: inclusive }), {
      taxCategory: categoryOf(cart, 1 + index),
    }),
  )
  const products = new Map([plan, ...others].map((each) => [each.productId, each]))
  return { plan, products, addons: new Map(addons.map((each) => [each.addonId, each])) }
}

function pricing(cart: AnyCart): PricedCart {
  const claims = cart.codes.map((code, index) => ({
    discount: codeOf(code, index),
    redeemer: null,
  }))
  const products = [
    item('pdt_plan', cart.plan.quantity, {
      addons: cart.addons.map(({ quantity }, index) => ({ addonId: `adn_${index}`, quantity })),
    }),
    ...cart.once.map(({ money }, index) => item(`pdt_${index}`, money.quantity)),
  ]
  const place = { country: 'DE' as const, region: null, taxId: null }
  const asked = { products, place, currency: null, onDemand: null }
  const priced = pricedCart(asked, { ...objectsOf(cart), prices: new Map(), taxes, claims }, at)
  if ('problem' in priced) throw new Error(priced.problem)
  return priced
}

const slowPlan = (cart: AnyCart): SlowLine => ({
  ...cart.plan,
  own: cart.own,
  isAddon: false,
  product: 'pdt_plan',
  rate: rateOf(cart, 0),
  inclusive: cart.inclusive,
})

const slowAddons = (cart: AnyCart): readonly SlowLine[] =>
  cart.addons.map((each, index) => ({
    ...each,
    own: 0,
    isAddon: true,
    product: '',
    rate: rateOf(cart, 4 + index),
    inclusive: cart.inclusive,
  }))

const slowOnce = (cart: AnyCart): readonly SlowLine[] =>
  cart.once.map(({ inclusive, money, own }, index) => ({
    ...money,
    own,
    isAddon: false,
    product: `pdt_${index}`,
    rate: rateOf(cart, 1 + index),
    inclusive,
  }))

describe('a cart, and its renewal, cost to the unit what the manual says [payments#what-a-purchase-costs]', () => {
  it('with add-ons, codes in any order, and taxes of any kind', () => {
    fc.assert(
      fc.property(anyCart, (cart) => {
        const priced = pricing(cart)
        const lines = [slowPlan(cart), ...slowAddons(cart), ...slowOnce(cart)]
        const slow = slowCart(lines, cart.codes.map(slowCode))
        expect(priced.lines.map((line) => BigInt(line.amount + line.tax))).toEqual(slow.gross)
        expect([priced.total, priced.tax, priced.discount].map(BigInt)).toEqual([
          slow.total,
          slow.tax,
          slow.discount,
        ])
        for (const line of priced.lines) {
          expect([line.amount, line.tax].every((each) => each >= 0)).toBe(true)
        }
        const deductions = priced.discounts.reduce((sum, each) => sum + each.deduction, 0)
        expect(priced.lines.reduce((sum, line) => sum + line.coded, 0)).toBe(deductions)
      }),
      runs(300),
    )
  })

  it('and so does the renewal of what was bought, less what is owed', () => {
    fc.assert(
      fc.property(anyCart, (cart) => {
        const { agreed } = pricing(cart)
        if (agreed === null) throw new Error('The plan is not agreed on.')
        const { plan } = objectsOf(cart)
        const { addons, discounts, price } = agreed
        const { quantity } = cart.plan
        const sold = { addons, product: { ...plan, price }, entitlements: new Map(), quantity }
        const planned = planOf(sold)
        if ('problem' in planned) throw new Error(planned.problem)
        const renewal = renewalCart({
          subscription: {
            ...planned,
            billing: { country: 'DE', city: null, state: null, street: null, zipcode: null },
            discounts,
            owed: cart.owed,
            taxId: null,
          },
          product: plan,
          taxes,
          usage: [],
        })
        const lines = [slowPlan(cart), ...slowAddons(cart)]
        const slow = slowCart(lines, cart.codes.map(slowCode), cart.owed)
        expect(renewal.lines.map((line) => BigInt(line.amount + line.tax))).toEqual(slow.gross)
        expect([renewal.total, renewal.tax].map(BigInt)).toEqual([slow.total, slow.tax])
        const whole = slowCart(lines, cart.codes.map(slowCode))
        const used = slow.discount - whole.discount
        expect(BigInt(renewal.owed)).toBe(BigInt(cart.owed) - used)
      }),
      runs(300),
    )
  })
})

describe('a renewal', () => {
  const renewing = (more: Partial<Parameters<typeof renewalCart>[0]['subscription']> = {}) => ({
    subscription: {
      addons: [],
      billing: { country: 'DE', city: null, state: null, street: null, zipcode: null },
      currency: 'EUR' as const,
      discounts: [],
      owed: 0,
      productId: 'pdt_plan',
      recurringPreTaxAmount: 10_000,
      taxId: null,
      taxInclusive: false,
      ...more,
    },
    product: productOf('pdt_plan', recurringFor(10_000)),
    taxes: [{ country: 'DE' as const, region: null, category: null, rate: 190_000 }],
    usage: [],
  })

  it('is lowered by a code as often as its cycles say', () => {
    const tenth = discount({ amount: 1_000, subscriptionCycles: 3 })
    let discounts: readonly KeptDiscount[] = [{ discount: tenth, cyclesRemaining: 2 }]
    const totals: number[] = []
    for (let cycle = 0; cycle < 4; cycle += 1) {
      const cart = renewalCart(renewing({ discounts }))
      totals.push(cart.total)
      discounts = cart.discounts
    }
    expect(totals).toEqual([10_710, 10_710, 11_900, 11_900])
    expect(discounts[0]?.cyclesRemaining).toBe(0)
  })

  it('is taxed where its customer is, and not at all where the customer owes the tax', () => {
    expect(renewalCart(renewing()).total).toBe(11_900)
    expect(renewalCart(renewing({ taxId: 'DE136695976' })).total).toBe(10_000)
    expect(renewalCart(renewing({ taxId: 'DE136695977' })).total).toBe(11_900)
    const inside = renewalCart(renewing({ taxInclusive: true }))
    expect([inside.total, inside.tax]).toEqual([10_000, 1_597])
  })

  it('bills usage that no code lowers, and pays it from what is owed, too', () => {
    const half = discount({ amount: 5_000 })
    const usage = [{ itemId: 'mtr_1', name: 'calls', description: null, price: 500 }]
    const discounts = [{ discount: half, cyclesRemaining: null }]
    const cart = renewalCart({ ...renewing({ discounts, owed: 5_400 }), usage })
    expect([cart.lines.map(({ amount }) => amount), cart.owed]).toEqual([[90, 10], 0])
    expect(cart.total).toBe(119)
    const rest = renewalCart({ ...renewing({ discounts, owed: 9_000 }), usage })
    expect([rest.total, rest.owed]).toEqual([0, 3_500])
  })
})

it('keeps of a code what the trial has not used', () => {
  const code = discount({ subscriptionCycles: 2 })
  const cart = (trialApplyDiscounts: boolean) => {
    const price = recurringFor(1_000, { trialPeriodDays: 7, trialAmount: 300, trialApplyDiscounts })
    const plan = productOf('pdt_plan', price)
    const priced = pricedCart(
      {
        products: [item('pdt_plan', 2)],
        place: { country: null, region: null, taxId: null },
        currency: null,
        onDemand: null,
      },
      {
        products: new Map([['pdt_plan', plan]]),
        addons: new Map(),
        prices: new Map(),
        taxes: [],
        claims: [{ discount: code, redeemer: null }],
      },
      instantOf(at),
    )
    if ('problem' in priced) throw new Error(priced.problem)
    return [priced.total, priced.agreed?.discounts[0]?.cyclesRemaining]
  }
  expect(cart(false)).toEqual([600, 2])
  expect(cart(true)).toEqual([540, 1])
})
