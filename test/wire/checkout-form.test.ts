import { describe, expect, it } from 'vitest'
import { checkoutChoices, enteredCard, payerDetails } from '../../src/wire/checkout-form.ts'

const form = (name: string) => new Map(Object.entries({ card_number: '4242424242424242', name }))

describe('the form of a checkout [payments#one-way-to-be-paid]', () => {
  it('knows who pays, and whose card it is', () => {
    expect(payerDetails(form(' Ada ')).name).toBe('Ada')
    expect(enteredCard(form(' Ada '))?.holder).toBe('Ada')
  })

  it.each(['', 'x'.repeat(256)])('takes no name that is empty or too long', (name) => {
    expect(payerDetails(form(name)).name).toBeNull()
    expect(enteredCard(form(name))?.holder).toBeNull()
  })
})

describe('what a buyer says that one costs [payments#choices]', () => {
  const said = (currency: string, text: string) =>
    checkoutChoices(new Map([[`amount[pdt_1][${currency}]`, text]])).amounts.get('pdt_1')

  it.each([
    ['USD', '12.5', 1250],
    ['USD', ' 7 ', 700],
    ['JPY', '120', 120],
    ['KWD', '0.125', 125],
    ['USD', '0', 0],
    ['USD', '12.505', null],
    ['JPY', '7.5', null],
    ['USD', '-1', null],
    ['USD', '1e3', null],
    ['USD', '99999999999999999999', null],
    ['USD', 'much', null],
  ])('is read in units of %s: %s', (currency, text, units) => {
    expect(said(currency, text)).toEqual({ currency, units })
  })

  it('is nothing where the field is empty, or of no currency', () => {
    expect([said('USD', ''), said('USD', ' '), said('XXX', '5')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
