import type { Currency } from '../rules/commerce/currency.ts'
import { finestPart } from '../rules/commerce/payments/buyers-amount.ts'
import type {
  CheckoutRequest,
  EditableDetail,
} from '../rules/commerce/payments/checkout-session.ts'
import type { Market } from '../rules/commerce/payments/localized.ts'
import { decimalsOf } from '../rules/money/currency-decimals.ts'
import { majorUnits } from '../rules/money/money.ts'
import { parseDecimal } from '../std/decimal.ts'
import type { CheckoutCreate } from './checkout.ts'
import { checkoutCreate, checkoutRequest } from './checkout.ts'
import { countryCodes, currencies } from './enums.ts'

/** The parameters of a static checkout's address, by name; of repeated ones the last. */
export type StaticParams = ReadonlyMap<string, string>

/** The product of a static checkout, as it is sold in the market that the address names. */
export interface StaticProduct {
  readonly productId: string
  readonly currency: Currency
  /** The least that its buyer may say that one costs; null: they have no say in it. */
  readonly least: number | null
}

/** The market that an address names. */
export function marketIn(params: StaticParams): Market {
  const [country, currency] = ['country', 'paymentCurrency'].map((name) =>
    params.get(name)?.trim().toUpperCase(),
  )
  return {
    country: countryCodes.find((code) => code === country) ?? null,
    currency: currencies.find((code) => code === currency) ?? null,
  }
}

/**
 * The purchase for which the address of a static checkout stands, or what is wrong with it, in a
 * sentence. What the address says of the buyer is filled in on the page, where it can be changed
 * unless its `disable…` is true. Other parameters, as those that follow an advertisement, say
 * nothing. [payments#static-checkout]
 */
export function staticCheckout(
  product: StaticProduct,
  params: StaticParams,
): CheckoutRequest | { readonly problem: string } {
  const told = (name: string): string | null => params.get(name)?.trim() || null
  const problem = problemOf(params)
  if (problem !== null) return { problem }
  const amount = amountFor(product, told('paymentAmount'))
  if (typeof amount === 'string') return { problem: amount }
  const said = amount === null ? null : { amount, currency: product.currency }
  const country = told('country')?.toUpperCase() ?? null
  const email = told('email')
  const body: CheckoutCreate = {
    product_cart: [
      { product_id: product.productId, quantity: Number(told('quantity') ?? 1), amount },
    ],
    ...(email === null ? {} : { customer: { email } }),
    ...(country === null ? {} : { billing_address: { country } }),
    billing_currency: told('paymentCurrency')?.toUpperCase() ?? null,
    return_url: told('redirect_url'),
    metadata: metadataOf(params),
    feature_flags: flagsOf(params),
  }
  const checked = checkoutCreate.check(body)
  if (!checked.ok) return { problem: renamed(checked.problem) }
  const name = nameOf(told)
  const place = {
    ...(country === null ? {} : { country }),
    street: told('addressLine'),
    city: told('city'),
    state: told('state'),
    zipcode: told('zipCode'),
  }
  const request = checkoutRequest(checked.value)
  return {
    ...request,
    products: request.products.map((item) =>
      product.least === null ? item : { ...item, amount: null, buyersAmount: { said } },
    ),
    billing: place,
    customer: email === null && name === null ? null : { email, name, phoneNumber: null },
  }
}

const flagNames: Readonly<Record<string, EditableDetail | null>> = {
  disableFullName: 'name',
  disableFirstName: 'name',
  disableLastName: 'name',
  disableEmail: 'email',
  disableCountry: 'country',
  disableAddressLine: 'street',
  disableCity: 'city',
  disableState: 'state',
  disableZipCode: 'zipcode',
  showDiscounts: null,
  showCurrencySelector: null,
}

const texts = [
  'fullName',
  'firstName',
  'lastName',
  'addressLine',
  'city',
  'state',
  'zipCode',
  'email',
]

function problemOf(params: StaticParams): string | null {
  const flag = Object.keys(flagNames).find(
    (name) => !/^(true|false)?$/.test(params.get(name) ?? ''),
  )
  if (flag !== undefined) return `${flag} must be true or false.`
  const long = texts.find((name) => (params.get(name) ?? '').length > 255)
  if (long !== undefined) return `${long} must not be longer than 255 characters.`
  const quantity = params.get('quantity')?.trim() ?? ''
  return /^\d{0,10}$/.test(quantity) ? null : 'quantity must be a whole number.'
}

/** What the buyer may change of what the address says, and what the page offers. */
function flagsOf(params: StaticParams): Readonly<Record<string, boolean>> {
  const isOn = (name: string): boolean => params.get(name) === 'true'
  const held = Object.entries(flagNames).flatMap(([name, detail]) => (isOn(name) ? [detail] : []))
  const details = Object.values(flagNames).flatMap((detail) => detail ?? [])
  return {
    ...Object.fromEntries(
      details.map((detail) => [`allow_customer_editing_${detail}`, !held.includes(detail)]),
    ),
    allow_discount_code: params.get('showDiscounts') !== 'false',
    allow_currency_selection: params.get('showCurrencySelector') !== 'false',
  }
}

function nameOf(told: (name: string) => string | null): string | null {
  const parts = [told('firstName'), told('lastName')].filter((part) => part !== null)
  return told('fullName') ?? (parts.length === 0 ? null : parts.join(' '))
}

const metadataPrefix = 'metadata_'

const metadataOf = (params: StaticParams): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...params].flatMap(([name, value]) =>
      name.startsWith(metadataPrefix) ? [[name.slice(metadataPrefix.length), value]] : [],
    ),
  )

/** What is paid for one; text: what is wrong with what the address says of it. */
function amountFor(
  { currency, least }: StaticProduct,
  text: string | null,
): number | string | null {
  const said = minorUnits(text, currency)
  if (said === null || typeof said === 'string' || least === null || said >= least) return said
  const units = majorUnits({ amount: least, currency })
  return `paymentAmount must be at least ${units} ${currency}, the least that this product costs.`
}

/** An amount in whole units, such as `12.50`, in the smallest; text: what is wrong with it. */
function minorUnits(text: string | null, currency: Currency): number | string | null {
  if (text === null) return null
  const decimals = decimalsOf(currency)
  const units = /^\d{1,12}(\.\d{1,12})?$/.test(text) ? parseDecimal(text, decimals) : null
  if (units !== null) return Number(units)
  return `paymentAmount must be an amount of ${currency} ${finestPart(currency)}.`
}

const namesInBody: readonly (readonly [string, string])[] = [
  ['product_cart[0].quantity', 'quantity'],
  ['product_cart[0].amount', 'paymentAmount'],
  ['billing_address.country', 'country'],
  ['billing_currency', 'paymentCurrency'],
  ['customer.email', 'email'],
  ['return_url', 'redirect_url'],
  ['metadata.', metadataPrefix],
]

/** The sentence, with the name of the parameter in place of the body's field. */
function renamed(problem: string): string {
  const found = namesInBody.find(([field]) => problem.startsWith(field))
  return found === undefined ? problem : `${found[1]}${problem.slice(found[0].length)}`
}
