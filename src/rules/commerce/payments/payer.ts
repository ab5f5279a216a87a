import type { BillingAddress } from '../billing-address.ts'
import type { Customer } from '../catalog/customer.ts'
import type { CheckoutRequest, CustomField, EditableDetail } from './checkout-session.ts'
import type { CustomFieldResponse } from './payment.ts'

/** What a person enters on the checkout page; null: left empty. */
export interface PayerDetails {
  readonly email: string | null
  readonly name: string | null
  readonly phoneNumber: string | null
  readonly billing: Readonly<Record<keyof BillingAddress, string | null>>
  readonly taxId: string | null
  readonly customFields: Readonly<Record<string, string>>
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
  readonly customFields: readonly CustomFieldResponse[]
}

/**
 * Who pays: what the session was told holds, and the page fills in the rest. Refuses what is
 * missing, field by field.
 */
export function payerOf(
  request: CheckoutRequest,
  details: PayerDetails,
  known: Customer | null,
): Payer | { readonly wrong: readonly WrongDetail[] } {
  const told = request.customer !== null && 'email' in request.customer ? request.customer : null
  const held = heldBy(request)
  const email = held('email', known?.email ?? told?.email, details.email)
  const country = held('country', request.billing?.country, details.billing.country)
  const phoneNumber = known?.phoneNumber ?? told?.phoneNumber ?? details.phoneNumber
  const wrong: WrongDetail[] = []
  if (email === null) wrong.push({ field: 'email', problem: 'is missing' })
  if (country === null) wrong.push({ field: 'country', problem: 'is missing' })
  if (request.asksFor.phoneNumber === 'required' && phoneNumber === null) {
    wrong.push({ field: 'phone_number', problem: 'is missing' })
  }
  for (const field of request.customFields) {
    const problem = problemOf(field, details.customFields[field.key] ?? '')
    if (problem !== null) wrong.push({ field: `custom_fields[${field.key}]`, problem })
  }
  if (email === null || country === null || wrong.length > 0) return { wrong }
  const { billing } = request
  return {
    email,
    name: held('name', known?.name ?? told?.name, details.name) ?? email,
    phoneNumber,
    billing: {
      country,
      city: held('city', billing?.city, details.billing.city),
      state: held('state', billing?.state, details.billing.state),
      street: held('street', billing?.street, details.billing.street),
      zipcode: held('zipcode', billing?.zipcode, details.billing.zipcode),
    },
    taxId: held('tax_id', request.taxId, request.asksFor.taxId ? details.taxId : null),
    customFields: request.customFields.flatMap(({ key }) => {
      const value = details.customFields[key] ?? ''
      return value === '' ? [] : [{ key, value }]
    }),
  }
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
    email: !/^[^\s@]+@[^\s@]+$/.test(value),
    url: !URL.canParse(value) || !/^https?:/.test(value),
    date: !/^\d{4}-\d{2}-\d{2}$/.test(value) || Number.isNaN(Date.parse(value)),
    dropdown: !options.includes(value),
    boolean: value !== 'true' && value !== 'false',
  }[type]
  if (!wrong) return null
  return type === 'dropdown' ? `must be one of ${options.join(', ')}` : `must be a ${type}`
}
