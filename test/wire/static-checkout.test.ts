import { describe, expect, it } from 'vitest'
import type { Currency } from '../../src/rules/commerce/currency.ts'
import type { CheckoutRequest } from '../../src/rules/commerce/payments/checkout-session.ts'
import { editableDetails } from '../../src/rules/commerce/payments/checkout-session.ts'
import { marketIn, staticCheckout } from '../../src/wire/static-checkout.ts'

const asked = (query: string, currency: Currency = 'USD') =>
  staticCheckout({ productId: 'pdt_1', currency, least: null }, new Map(new URLSearchParams(query)))

function request(query: string, currency?: Currency): CheckoutRequest {
  const made = asked(query, currency)
  if ('problem' in made) throw new Error(made.problem)
  return made
}

describe('the address of a static checkout [payments#static-checkout]', () => {
  it('stands for one of the product, of whom nothing is known', () => {
    expect(request('')).toMatchObject({
      products: [{ productId: 'pdt_1', quantity: 1, amount: null, trialPeriodDays: null }],
      customer: null,
      billing: { street: null, city: null, state: null, zipcode: null },
      returnUrl: null,
      metadata: {},
      editable: editableDetails.filter((name) => name !== 'tax_id' && name !== 'business_name'),
      confirmed: false,
    })
    expect(request('utm_source=x&quantity=&email=').customer).toBeNull()
  })

  it('says who buys, and what of it stays', () => {
    const made = request(
      'email=a%2Bb@c.de&firstName=Ada&lastName=King&country=de&city=Ulm&zipCode=89073&addressLine=X+1' +
        '&state=BW&disableEmail=true&disableCountry=true&disableCity=false&disableFirstName=true',
    )
    expect(made.customer).toEqual({ email: 'a+b@c.de', name: 'Ada King', phoneNumber: null })
    expect(made.billing).toEqual({
      country: 'DE',
      city: 'Ulm',
      state: 'BW',
      street: 'X 1',
      zipcode: '89073',
    })
    expect(made.editable).toEqual(['city', 'state', 'street', 'zipcode'])
    expect(request('fullName=Ada').customer).toEqual({
      email: null,
      name: 'Ada',
      phoneNumber: null,
    })
    expect(request('city=Ulm').billing).toMatchObject({ city: 'Ulm' })
  })

  it('says what is bought, and where the buyer goes then', () => {
    const made = request('quantity=3&redirect_url=https://shop.example/?a=b&metadata_order=7')
    expect(made.products[0]?.quantity).toBe(3)
    expect([made.returnUrl, made.metadata]).toEqual(['https://shop.example/?a=b', { order: '7' }])
    const amounts = [
      ['12.50', 'USD', 1250],
      ['12.5', 'USD', 1250],
      ['12.500', 'USD', 1250],
      ['500', 'JPY', 500],
      ['0.125', 'KWD', 125],
      ['0', 'EUR', 0],
    ] as const
    for (const [text, currency, units] of amounts) {
      expect(request(`paymentAmount=${text}`, currency).products[0]?.amount, text).toBe(units)
    }
  })

  it('says what a product of the buyer’s own price costs, or leaves it to the page', () => {
    const product = { productId: 'pdt_1', currency: 'EUR', least: 500 } as const
    const amounts = ['', 'paymentAmount=', 'paymentAmount=5', 'paymentAmount=4.99'].map((query) => {
      const made = staticCheckout(product, new Map(new URLSearchParams(query)))
      return 'problem' in made ? made.problem : made.products[0]?.buyersAmount
    })
    expect(amounts).toEqual([
      { said: null },
      { said: null },
      { said: { amount: 500, currency: 'EUR' } },
      'paymentAmount must be at least 5 EUR, the least that this product costs.',
    ])
  })

  it('names a market', () => {
    const market = (query: string) => marketIn(new Map(new URLSearchParams(query)))
    expect(market('country=de&paymentCurrency=eur')).toEqual({ country: 'DE', currency: 'EUR' })
    expect(market('country=XX&paymentCurrency=')).toEqual({ country: null, currency: null })
  })

  it.each([
    ['quantity=0', 'quantity must be'],
    ['quantity=-1', 'quantity must be a whole number'],
    ['quantity=1.5', 'quantity must be a whole number'],
    ['quantity=9999999999', 'quantity must be'],
    ['paymentAmount=12.505', 'paymentAmount must be an amount of USD with at most 2 decimals'],
    ['paymentAmount=-1', 'paymentAmount must be'],
    ['paymentAmount=1e3', 'paymentAmount must be'],
    ['paymentAmount=999999999999', 'paymentAmount must be'],
    ['paymentCurrency=XXX', 'paymentCurrency must be one of'],
    ['redirect_url=javascript:alert(1)', 'redirect_url must be'],
    ['redirect_url=//shop.example', 'redirect_url must be'],
    ['country=XX', 'country must be one of'],
    ['email=nobody', 'email must be'],
    ['disableEmail=yes', 'disableEmail must be true or false'],
    [`city=${'x'.repeat(256)}`, 'city must not be longer'],
    ['metadata_a%20b=1', 'Every key of metadata must be'],
    [`metadata_a=${'x'.repeat(501)}`, 'metadata_a must not be longer'],
  ])('is refused with %s', (query, problem) => {
    expect(asked(query)).toEqual({ problem: expect.stringContaining(problem) })
  })
})
