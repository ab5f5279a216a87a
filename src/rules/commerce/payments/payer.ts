import { isEmail } from '../../../std/email.ts'
import type { BillingAddress } from '../billing-address.ts'
import type { Customer } from '../catalog/customer.ts'
import { countryOf } from '../country.ts'
import type { CustomFieldResponse } from '../custom-field-response.ts'
import type { CheckoutRequest, CustomField, EditableDetail } from './checkout-session.ts'
import type { SalePlace } from './sale-place.ts'
import { judgedTaxId } from './sale-place.ts'

/** What a person enters on the checkout page; null: left empty. */
export interface PayerDetails {
  readonly email: string | null
  readonly name: string | null
  readonly phoneNumber: string | null
  readonly billing: Readonly<Record<keyof BillingAddress, string | null>>
  readonly taxId: string | null
  readonly businessName: string | null
  readonly customFields: Readonly<Record<string, string>>
}

export const nothingEntered: PayerDetails = {
  email: null,
  name: null,
  phoneNumber: null,
  billing: { country: null, city: null, state: null, street: null, zipcode: null },
  taxId: null,
  businessName: null,
  customFields: {},
}

/** A field of the page, by its name in the form, and what is wrong with it. */
export interface WrongDetail {
  readonly field: string
  readonly problem: string
}

/** Everything that a payment says of who pays it. */
export interface Payer {
  readonly email: string
  readonly name: string
  readonly phoneNumber: string | null
  readonly billing: BillingAddress
  readonly taxId: string | null
  readonly businessName: string | null
  readonly customFields: readonly CustomFieldResponse[]
}

/**
 * Who pays: what the session was told holds, and the page fills in the rest. Refuses what is
 * missing, field by field, and a tax number that is none.
 */
export function payerOf(
  request: CheckoutRequest,
  details: PayerDetails,
  known: Customer | null,
): Payer | { readonly wrong: readonly WrongDetail[] } {
  const told = request.customer !== null && 'email' in request.customer ? request.customer : null
  const held = heldBy(request)
  const email = held('email', known?.email ?? told?.email, details.email)
  const phoneNumber = known?.phoneNumber ?? told?.phoneNumber ?? details.phoneNumber
  const buyer = buyerOf(request, details)
  const { country, taxId } = buyer
  const wrong = [
    ...(email === null ? [{ field: 'email', problem: 'is missing' }] : []),
    ...(country === null ? [{ field: 'country', problem: 'is missing' }] : []),
    ...(request.asksFor.phoneNumber === 'required' && phoneNumber === null
      ? [{ field: 'phone_number', problem: 'is missing' }]
      : []),
    ...taxIdWrong(buyer),
    ...wrongCustomFields(request, details),
  ]
  if (email === null || country === null || wrong.length > 0) return { wrong }
  const { billing } = request
  return {
    email,
    name: held('name', known?.name ?? told?.name, details.name) ?? email,
    phoneNumber,
    billing: {
      country,
      city: held('city', billing?.city, details.billing.city),
      state: buyer.region,
      street: held('street', billing?.street, details.billing.street),
      zipcode: held('zipcode', billing?.zipcode, details.billing.zipcode),
    },
    taxId,
    businessName: taxId === null ? null : businessNameOf(request, details),
    customFields: request.customFields.flatMap(({ key }) => {
      const value = details.customFields[key] ?? ''
      return value === '' ? [] : [{ key, value }]
    }),
  }
}

/** The e-mail that counts of a customer who is not named by id. */
export function emailOf(request: CheckoutRequest, details: PayerDetails): string | null {
  const told = request.customer !== null && 'email' in request.customer ? request.customer : null
  return heldBy(request)('email', told?.email, details.email)
}

/**
 * Where the buyer is, as far as that is known: what was told and entered decides prices and taxes
 * before anybody pays. A tax number that was told and is none gives way to one that is entered.
 */
export function buyerOf(request: CheckoutRequest, details: PayerDetails): SalePlace {
  const held = heldBy(request)
  const { billing } = request
  const country = countryOf(held('country', billing?.country, details.billing.country))
  const region = held('state', billing?.state, details.billing.state)
  const told = { country, region, taxId: request.taxId }
  const holds = request.taxId !== null && judgedTaxId(told).problem === null
  const entered = request.asksFor.taxId || request.taxId !== null ? details.taxId : null
  return { ...told, taxId: held('tax_id', holds ? request.taxId : null, entered) }
}

/** What is wrong with a tax number that was entered. */
export function taxIdWrong(buyer: SalePlace): readonly WrongDetail[] {
  const { problem } = judgedTaxId(buyer)
  return problem === null ? [] : [{ field: 'tax_id', problem }]
}

/** A person who may enter a tax number may say whose it is. [resources#checkout-sessions] */
function businessNameOf(
  { asksFor, customerBusinessName: told, editable }: CheckoutRequest,
  { businessName: entered }: PayerDetails,
): string | null {
  const mayEnter =
    asksFor.taxId || editable.includes('tax_id') || editable.includes('business_name')
  return (mayEnter ? entered : null) ?? told
}

function wrongCustomFields(
  { customFields }: CheckoutRequest,
  details: PayerDetails,
): readonly WrongDetail[] {
  return customFields.flatMap((field) => {
    const problem = problemOf(field, details.customFields[field.key] ?? '')
    return problem === null ? [] : [{ field: `custom_fields[${field.key}]`, problem }]
  })
}

/** What the session was told holds, unless the person who pays may change it, and does. */
const heldBy =
  ({ editable }: CheckoutRequest) =>
  (
    detail: EditableDetail,
    told: string | null | undefined,
    entered: string | null,
  ): string | null => {
    if (editable.includes(detail)) return entered ?? told ?? null
    return told ?? entered
  }

/** What is wrong with the value of a field that the seller has added; null: nothing. */
function problemOf({ type, required, options }: CustomField, value: string): string | null {
  if (value === '') return required ? 'is missing' : null
  if (value.length > 500) return 'must have at most 500 characters'
  const wrong = {
    text: false,
    number: !/^-?\d{1,15}(\.\d{1,15})?$/.test(value),
    email: !isEmail(value),
    url: !URL.canParse(value) || !/^https?:/.test(value),
    date: !/^\d{4}-\d{2}-\d{2}$/.test(value) || Number.isNaN(Date.parse(value)),
    dropdown: !options.includes(value),
    boolean: value !== 'true' && value !== 'false',
  }[type]
  if (!wrong) return null
  return type === 'dropdown' ? `must be one of ${options.join(', ')}` : `must be a ${type}`
}
