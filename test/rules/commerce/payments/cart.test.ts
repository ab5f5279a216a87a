import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LocalizedPrice } from '../../../../src/rules/commerce/catalog/localized-price.ts'
import { pricedCart } from '../../../../src/rules/commerce/payments/cart.ts'
import { instantOf } from '../../../../src/std/instant.ts'
import { item, onceFor, productOf } from './purchases.ts'

const byId = (...products: ReturnType<typeof productOf>[]) =>
  new Map(products.map((product) => [product.productId, product]))

const pricing = (
  products: Parameters<typeof pricedCart>[0]['products'],
  objects: ReturnType<typeof byId>,
) =>
  pricedCart(
    {
      products,
      place: { country: null, region: null, taxId: null },
      currency: null,
      onDemand: null,
    },
    { products: objects, addons: new Map(), prices: new Map(), taxes: [], claims: [] },
    instantOf(0),
  )

describe('a cart', () => {
  it('costs what its products cost, less their own discounts, to the unit', () => {
    const line = fc.record({
      price: fc.nat(1_000_000),
      discount: fc.nat(100),
      quantity: fc.integer({ min: 1, max: 100 }),
    })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 10 }), (lines) => {
        const products = lines.map(({ price, discount }, index) =>
          productOf(`pdt_${index}`, onceFor(price, { discount })),
        )
        const cart = lines.map(({ quantity }, index) => item(`pdt_${index}`, quantity))
        const priced = pricing(cart, byId(...products))
        if ('problem' in priced) throw new Error(priced.problem)
        // In hundredths of the smallest unit, half of which round up.
        const units = lines.map(({ price, discount }) =>
          Math.floor((price * (100 - discount)) / 100 + 0.5),
        )
        const total = units.reduce(
          (sum, unit, index) => sum + unit * (lines[index]?.quantity ?? 0),
          0,
        )
        expect(priced.total).toBe(total)
        expect(priced.subtotal - priced.discount + priced.tax).toBe(priced.total)
        expect(priced.lines.reduce((sum, each) => sum + each.amount + each.tax, 0)).toBe(total)
      }),
    )
  })

  it('takes the prices of a country where they leave one currency for all of it', () => {
    const abroad = { ...productOf('pdt_a', onceFor(500)), pricingMode: 'by_country' as const }
    const plain = productOf('pdt_p', onceFor(70))
    const yen: LocalizedPrice = {
      localizedPriceId: 'lcp_1',
      productId: 'pdt_a',
      mode: 'by_country',
      countryCode: 'JP',
      currency: 'JPY',
      amount: 90_000,
      createdAt: instantOf(0),
      updatedAt: instantOf(0),
      archivedAt: null,
    }
    const total = (...ids: string[]) => {
      const priced = pricedCart(
        {
          products: ids.map((id) => item(id)),
          place: { country: 'JP', region: null, taxId: null },
          currency: null,
          onDemand: null,
        },
        {
          products: byId(abroad, plain),
          addons: new Map(),
          prices: new Map([['pdt_a', [yen]]]),
          taxes: [],
          claims: [],
        },
        instantOf(0),
      )
      return 'code' in priced ? priced.code : [priced.total, priced.currencies]
    }
    expect(total('pdt_a')).toEqual([90_000, ['JPY']])
    expect(total('pdt_a', 'pdt_p')).toEqual([570, ['EUR']])
  })

  it('is refused where it cannot be paid in one go', () => {
    const euros = productOf('pdt_e', onceFor(500))
    const dollars = productOf('pdt_d', onceFor(500, { currency: 'USD' }))
    const other = productOf('pdt_o', onceFor(500), { brandId: 'brnd_2' })
    const gone = productOf('pdt_g', onceFor(500), { archivedAt: instantOf(1) })
    const open = productOf('pdt_w', onceFor(500, { payWhatYouWant: true }))
    const all = byId(euros, dollars, other, gone, open)
    const refused = (...cart: ReturnType<typeof item>[]) => {
      const priced = pricing(cart, all)
      return 'code' in priced ? priced.code : priced.total
    }
    expect(refused()).toBe('PRODUCT_CART_EMTPY')
    expect(refused(item('pdt_x'))).toBe('NOT_FOUND')
    expect(refused(item('pdt_e'), item('pdt_d'))).toBe('UNSUPPORTED_BILLING_CURRENCY')
    expect(refused(item('pdt_e'), item('pdt_o'))).toBe('BRAND_MISMATCH')
    expect(refused(item('pdt_e'), item('pdt_e'))).toBe('DUPLICATE_LINE_ITEMS_IN_REQUEST')
    expect(refused(item('pdt_g'))).toBe('PRODUCT_IS_DELETED')
    expect(refused(item('pdt_w'))).toBe('PAY_AS_YOU_WANT_AMOUNT_REQUIRED')
    expect(refused(item('pdt_w', 1, { amount: 499 }))).toBe('REQUEST_AMOUNT_BELOW_MINIMUM')
    expect(refused(item('pdt_w', 2, { amount: 501 }))).toBe(1_002)
    expect(refused(item('pdt_e', 2 ** 31 - 1))).toBe('INVALID_REQUEST_BODY')
    expect(refused(item('pdt_e', 1, { credits: { cde_1: '5' } }))).toBe('INVALID_REQUEST_BODY')
  })
})
