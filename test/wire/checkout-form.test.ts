import { describe, expect, it } from 'vitest'
import { enteredCard, payerDetails } from '../../src/wire/checkout-form.ts'

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
