import { describe, expect, it } from 'vitest'
import type { Addon } from '../../../../src/rules/commerce/catalog/addon.ts'
import type { LocalizedPrice } from '../../../../src/rules/commerce/catalog/localized-price.ts'
import type { Product } from '../../../../src/rules/commerce/catalog/product.ts'
import { pricedCart } from '../../../../src/rules/commerce/payments/cart.ts'
import { demandedTotals } from '../../../../src/rules/commerce/payments/on-demand-cart.ts'
import type { OnDemandStart } from '../../../../src/rules/commerce/subscriptions/on-demand.ts'
import { instantOf } from '../../../../src/std/instant.ts'
import { running } from '../subscriptions/subscribed.ts'
import { item, onceFor, productOf, recurringFor } from './purchases.ts'

const demanded = (more: Partial<OnDemandStart> = {}): OnDemandStart => ({
  mandateOnly: false,
  price: null,
  currency: null,
  description: null,
  ...more,
})

const plan = productOf('pdt_plan', recurringFor(2_000), { pricingMode: 'by_currency' })
const metered: Product = productOf('pdt_metered', {
  ...recurringFor(0),
  type: 'usage_based_price',
  fixedPrice: 0,
  meters: [],
})
const seat: Addon = {
  addonId: 'adn_1',
  name: 'Seat',
  description: null,
  price: 300,
  currency: 'EUR',
  taxCategory: 'saas',
  imageId: null,
  createdAt: instantOf(0),
  updatedAt: instantOf(0),
}
const dollars: LocalizedPrice = {
  localizedPriceId: 'lcp_1',
  productId: 'pdt_plan',
  mode: 'by_currency',
  countryCode: null,
  currency: 'USD',
  amount: 2_500,
  createdAt: instantOf(0),
  updatedAt: instantOf(0),
  archivedAt: null,
}

function priced(
  onDemand: OnDemandStart,
  products = [item('pdt_plan')],
  currency: 'USD' | null = null,
) {
  const known = [plan, metered, productOf('pdt_once', onceFor(500))]
  return pricedCart(
    { products, onDemand, currency, place: { country: 'US', region: null, taxId: null } },
    {
      products: new Map(
        known.map((each) => [each.productId, { ...each, addonIds: ['adn_1'] } as Product]),
      ),
      addons: new Map([['adn_1', seat]]),
      prices: new Map([['pdt_plan', [dollars]]]),
      taxes: [{ country: 'US', region: null, category: null, rate: 100_000 }],
      claims: [],
    },
    instantOf(0),
  )
}

describe('the start of a subscription on demand [subscriptions#on-demand]', () => {
  it('charges what it says, whatever the quantity, with taxes on top', () => {
    const made = priced(demanded({ price: 700 }), [item('pdt_plan', 3)])
    expect(made).toMatchObject({ total: 770, tax: 70, currency: 'EUR', currencies: ['EUR'] })
    expect(made).toMatchObject({ agreed: { onDemand: true, price: { price: 2_000 } } })
  })

  it('charges what the product costs where it says nothing, and nothing for a mandate', () => {
    expect(priced(demanded(), [item('pdt_plan', 2)])).toMatchObject({ total: 4_400 })
    const mandate = demanded({ mandateOnly: true, price: 700, description: 'Rides' })
    expect(priced(mandate)).toMatchObject({ total: 0, tax: 0, lines: [{ description: 'Rides' }] })
  })

  it('is in the currency that it says, and what the buyer chooses changes nothing', () => {
    const inDollars = priced(demanded({ currency: 'USD', price: 700 }))
    expect(inDollars).toMatchObject({ currency: 'USD', total: 770 })
    expect(inDollars).toMatchObject({ agreed: { price: { currency: 'USD', price: 2_500 } } })
    const chosen = priced(demanded({ price: 700 }), [item('pdt_plan')], 'USD')
    expect(chosen).toMatchObject({ currency: 'EUR', currencies: ['EUR'], total: 770 })
  })

  it.each([
    ['ONE_TIME_PRODUCTS_NOT_ALLOWED_FOR_ON_DEMAND', demanded(), [item('pdt_once')]],
    [
      'ONE_TIME_PRODUCTS_NOT_ALLOWED_FOR_ON_DEMAND',
      demanded(),
      [item('pdt_plan'), item('pdt_once')],
    ],
    ['ON_DEMAND_USAGE_BASED_BILLING_NOT_SUPPORTED', demanded(), [item('pdt_metered')]],
    [
      'ADDONS_NOT_ALLOWED_FOR_ON_DEMAND',
      demanded(),
      [item('pdt_plan', 1, { addons: [{ addonId: 'adn_1', quantity: 1 }] })],
    ],
    ['UNSUPPORTED_CURRENCY', demanded({ currency: 'JPY' }), [item('pdt_plan')]],
  ] as const)('%s', (code, onDemand, products) => {
    expect(priced(onDemand, [...products])).toMatchObject({ code })
  })
})

describe('a charge on demand [subscriptions#on-demand]', () => {
  const taxes = [{ country: 'DE', region: null, category: null, rate: 190_000 }] as const
  const charge = { price: 1_000, currency: null, description: null }

  it('adds the tax of the plan, or has it in its price', () => {
    const product = plan
    expect(demandedTotals(running, charge, { product, taxes })).toMatchObject({
      total: 1_190,
      tax: 190,
      lines: [{ itemId: 'pdt_1', name: 'pdt_plan' }],
    })
    const inclusive = { ...running, taxInclusive: true }
    const of = { product: null, taxes }
    expect(demandedTotals(inclusive, charge, of)).toMatchObject({ total: 1_000, tax: 160 })
  })

  it('is refused where its total is more than a payment can say', () => {
    const huge = { ...charge, price: 2 ** 31 - 1 }
    expect(demandedTotals(running, huge, { product: plan, taxes: [] })).toMatchObject({
      total: 2 ** 31 - 1,
    })
    expect(demandedTotals(running, huge, { product: plan, taxes })).toMatchObject({
      code: 'INVALID_REQUEST_BODY',
    })
  })
})
