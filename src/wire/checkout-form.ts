import type { EnteredCard } from '../rules/commerce/payments/card.ts'
import type { PayerDetails } from '../rules/commerce/payments/payer.ts'
import { countryCodes } from './enums.ts'

type Fields = ReadonlyMap<string, string>

/** What a person entered on the checkout page of who pays; too long a text counts as none. */
export function payerDetails(form: Fields): PayerDetails {
  const text = (name: string): string | null => {
    const value = form.get(name)?.trim() ?? ''
    return value === '' || value.length > 255 ? null : value
  }
  const country = text('country')?.toUpperCase() ?? null
  const email = text('email')
  return {
    email: email !== null && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(email) ? email : null,
    name: text('name'),
    phoneNumber: text('phone_number'),
    billing: {
      country: countryCodes.some((code) => code === country) ? country : null,
      city: text('city'),
      state: text('state'),
      street: text('street'),
      zipcode: text('zipcode'),
    },
    taxId: text('tax_id'),
    customFields: Object.fromEntries(
      [...form].flatMap(([name, value]) => {
        const [, key] = /^custom_fields\[(.+)\]$/.exec(name) ?? []
        return key === undefined ? [] : [[key, value.trim()]]
      }),
    ),
  }
}

/** The card that was entered; null: none. */
export function enteredCard(form: Fields): EnteredCard | null {
  const number = form.get('card_number')?.trim() ?? ''
  if (number === '') return null
  return {
    number,
    expiry: form.get('card_expiry')?.trim() ?? '',
    cvc: form.get('card_cvc')?.trim() ?? '',
    holder: form.get('name')?.trim() ?? null,
  }
}
