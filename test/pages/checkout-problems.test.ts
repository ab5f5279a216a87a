import { expect, it } from 'vitest'
import { declineText, problemText } from '../../src/pages/checkout/problems.ts'
import { textsFor } from '../../src/pages/checkout/texts.ts'
import type { Payment } from '../../src/rules/commerce/payments/payment.ts'

const all = ['en', 'de', 'fr', 'es', 'ja'].map((language) => textsFor(language, null))

const failed = (errorCode: string, errorMessage: string) =>
  ({ status: 'failed', errorCode, errorMessage }) as Payment

it('why a card was declined stands in the language of the page [payments#pages]', () => {
  const codes = ['CARD_DECLINED', 'INSUFFICIENT_FUNDS', 'EXPIRED_CARD', 'INCORRECT_CVC', 'NEW_CODE']
  for (const code of codes) {
    const said = all.map((spoken) => declineText(failed(code, 'It says why.'), spoken))
    expect(said[0]).toBe('It says why.')
    expect(new Set(said).size, code).toBe(5)
  }
  expect(all.map((spoken) => declineText(null, spoken))).toEqual(all.map(() => null))
})

it('what is wrong with a field stands in the language of the page, too', () => {
  const fields = [
    'card_number',
    'card_expiry',
    'card_cvc',
    'tax_id',
    'discount_code',
    'quantity[x]',
  ]
  for (const field of fields) {
    const said = all.map((spoken) => problemText({ field, problem: 'is none' }, spoken))
    expect(said[0]).toBe('is none')
    expect(new Set(said).size, field).toBe(5)
  }
  const missing = all.map((spoken) =>
    problemText({ field: 'email', problem: 'is missing' }, spoken),
  )
  expect(missing).toEqual(all.map(({ texts }) => texts.isMissing))
})
