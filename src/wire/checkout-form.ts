import { limits } from '../limits.ts'
import type { Currency } from '../rules/commerce/currency.ts'
import type { EnteredAmount } from '../rules/commerce/payments/buyers-amount.ts'
import type { EnteredCard } from '../rules/commerce/payments/card.ts'
import type { CheckoutChoices } from '../rules/commerce/payments/choices.ts'
import type { PayerDetails } from '../rules/commerce/payments/payer.ts'
import type { Money } from '../rules/money/money.ts'
import { moneyOf } from '../rules/money/money.ts'
import { isEmail } from '../std/email.ts'
import { countryCodes, currencies } from './enums.ts'

type Fields = ReadonlyMap<string, string>

/** What a person chose on the checkout page of what to buy. */
export function checkoutChoices(form: Fields): CheckoutChoices {
  const amounts = new Map<string, EnteredAmount>()
  const quantities = new Map<string, number | null>()
  const addons = new Map<string, Map<string, number | null>>()
  for (const [name, value] of form) {
    const [, field, productId = '', addonId] = chosenField.exec(name) ?? []
    const currency = currencies.find((code) => code === addonId)
    if (field === 'amount' && currency !== undefined && value.trim() !== '') {
      amounts.set(productId, { currency, units: unitsOf(value, currency) })
    }
    if (field === 'quantity' && addonId === undefined) quantities.set(productId, wholeOf(value))
    if (field !== 'addons' || addonId === undefined) continue
    addons.set(productId, (addons.get(productId) ?? new Map()).set(addonId, wholeOf(value)))
  }
  const code = form.get('discount_code')?.trim() ?? ''
  return {
    amounts,
    quantities,
    addons,
    discountCode: code === '' ? null : code.slice(0, 255),
    currency: currencies.find((each) => each === form.get('currency')) ?? null,
    productId: form.get('product_id') ?? null,
  }
}

const chosenField = /^(amount|quantity|addons)\[([\w-]+)\](?:\[([\w-]+)\])?$/

/** An amount in major units, in the smallest; null: it is none, or more than a request may say. */
function unitsOf(value: string, currency: Currency): number | null {
  const units = moneyOf(value.trim(), currency)?.amount ?? null
  return units !== null && units >= 0 && units <= limits.moneyMax ? units : null
}

/** Up to what a request may say; null: it is no whole number. */
function wholeOf(value: string): number | null {
  const whole = /^\d{1,10}$/.test(value.trim()) ? Number(value) : null
  return whole !== null && whole < 2 ** 31 ? whole : null
}

/** What the page has shown that it costs; null: nothing was shown. */
export function shownTotal(form: Fields): Money | null {
  const [, code, amount] = /^([A-Z]{3}) (\d{1,10})$/.exec(form.get('shown_total') ?? '') ?? []
  const currency = currencies.find((each) => each === code)
  return currency === undefined ? null : { amount: Number(amount), currency }
}

/** What a person entered on the checkout page of who pays; too long a text counts as none. */
export function payerDetails(form: Fields): PayerDetails {
  const text = (name: string): string | null => textIn(form, name)
  const country = text('country')?.toUpperCase() ?? null
  const email = text('email')
  return {
    email: email !== null && isEmail(email) ? email : null,
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
    businessName: text('business_name'),
    customFields: Object.fromEntries(
      [...form].flatMap(([name, value]) => {
        const [, key] = /^custom_fields\[(.+)\]$/.exec(name) ?? []
        return key === undefined ? [] : [[key, value.trim()]]
      }),
    ),
  }
}

/** Too long a text counts as none. */
function textIn(form: Fields, name: string): string | null {
  const value = form.get(name)?.trim() ?? ''
  return value === '' || value.length > 255 ? null : value
}

/** The card that was entered; null: none. */
export function enteredCard(form: Fields): EnteredCard | null {
  const number = form.get('card_number')?.trim() ?? ''
  if (number === '') return null
  return {
    number,
    expiry: form.get('card_expiry')?.trim() ?? '',
    cvc: form.get('card_cvc')?.trim() ?? '',
    holder: textIn(form, 'name'),
  }
}

/** The saved method that was chosen; null: another card is entered. */
export function chosenMethod(form: Fields): string | null {
  const chosen = form.get('payment_method_id') ?? ''
  return /^[\w-]{1,255}$/.test(chosen) ? chosen : null
}
