import { limits } from '../limits.ts'
import type { BillingAddress } from '../rules/commerce/billing-address.ts'
import type { CatalogMetadata } from '../rules/commerce/catalog/metadata.ts'
import type { CheckoutRequest } from '../rules/commerce/payments/checkout-session.ts'
import { customFieldTypes, editableDetails } from '../rules/commerce/payments/checkout-session.ts'
import { schema } from '../std/schema.ts'
import { email } from './customer.ts'
import { countryCodes, currencies } from './enums.ts'
import type { Definition } from './schemas.ts'
import { creditAmount, flag, id, metadata, money, nullable, oneOf, text, whole } from './schemas.ts'
import { addon, namedCustomer } from './subscription.ts'

/** [resources#checkout-sessions] */
export interface CheckoutCreate {
  readonly product_cart: readonly CheckoutItem[]
  readonly allowed_payment_method_types?: readonly string[] | null
  readonly billing_address?: Partial<BillingAddress> | null
  readonly billing_currency?: string | null
  readonly cancel_url?: string | null
  readonly confirm?: boolean | null
  readonly custom_fields?: readonly CustomFieldBody[] | null
  readonly customer?: {
    readonly customer_id?: string | null
    readonly email?: string
    readonly name?: string | null
    readonly phone_number?: string | null
  } | null
  readonly customer_business_name?: string | null
  readonly customization?: {
    readonly force_language?: string | null
    readonly show_order_details?: boolean | null
    readonly theme?: 'dark' | 'light' | 'system' | null
    readonly theme_config?: { readonly pay_button_text?: string | null } | null
  } | null
  readonly discount_code?: string | null
  readonly discount_codes?: readonly string[] | null
  readonly feature_flags?: Readonly<Record<string, boolean | null>> | null
  readonly force_3ds?: boolean | null
  readonly metadata?: CatalogMetadata | null
  readonly minimal_address?: boolean | null
  readonly payment_method_id?: string | null
  readonly product_collection_id?: string | null
  readonly return_url?: string | null
  readonly subscription_data?: {
    readonly on_demand?: object | null
    readonly trial_period_days?: number | null
  } | null
  readonly tax_id?: string | null
}

interface CheckoutItem {
  readonly product_id: string
  readonly quantity: number
  readonly addons?: readonly { readonly addon_id: string; readonly quantity: number }[] | null
  readonly amount?: number | null
  readonly credit_entitlements?:
    | readonly { readonly credit_entitlement_id: string; readonly credits_amount: string }[]
    | null
}

interface CustomFieldBody {
  readonly field_type: (typeof customFieldTypes)[number]
  readonly key: string
  readonly label: string
  readonly options?: readonly string[] | null
  readonly placeholder?: string | null
  readonly required?: boolean | null
}

const url: Definition = {
  type: 'string',
  maxLength: 2_000,
  pattern: '^https?://[^\\s\\u0000\\p{Cs}]+$',
  description: 'a URL that begins with http:// or https://',
}

const item: Definition = {
  type: 'object',
  required: ['product_id', 'quantity'],
  properties: {
    product_id: id,
    quantity: whole(1, 2 ** 31 - 1),
    addons: { type: ['array', 'null'], maxItems: 100, items: addon },
    amount: nullable(money),
    credit_entitlements: {
      type: ['array', 'null'],
      maxItems: limits.creditsPerProductMax,
      items: {
        type: 'object',
        required: ['credit_entitlement_id', 'credits_amount'],
        properties: { credit_entitlement_id: id, credits_amount: creditAmount },
      },
    },
  },
}

const address = nullable(text(0, 255))

const customField: Definition = {
  type: 'object',
  required: ['field_type', 'key', 'label'],
  properties: {
    field_type: oneOf(customFieldTypes),
    key: text(1, 64),
    label: text(1, 255),
    options: { type: ['array', 'null'], maxItems: 100, items: text(1, 255) },
    placeholder: nullable(text(0, 255)),
    required: nullable(flag),
  },
}

const color = nullable(text(0, 64))

const colors: Definition = {
  type: ['object', 'null'],
  additionalProperties: color,
}

const customization: Definition = {
  type: ['object', 'null'],
  properties: {
    force_language: nullable(text(2, 16)),
    show_on_demand_tag: nullable(flag),
    show_order_details: nullable(flag),
    theme: nullable(oneOf(['dark', 'light', 'system'])),
    theme_config: {
      type: ['object', 'null'],
      properties: { dark: colors, light: colors, pay_button_text: nullable(text(0, 100)) },
    },
  },
}

export const checkoutCreate = schema<CheckoutCreate>({
  type: 'object',
  required: ['product_cart'],
  properties: {
    product_cart: { type: 'array', maxItems: 100, items: item },
    allowed_payment_method_types: { type: ['array', 'null'], items: text(1, 255) },
    billing_address: {
      type: ['object', 'null'],
      required: ['country'],
      properties: {
        country: oneOf(countryCodes),
        city: address,
        state: address,
        street: address,
        zipcode: address,
      },
    },
    // Without meaning as long as there are no prices in several currencies. [resources#prices]
    billing_currency: nullable(oneOf(currencies)),
    cancel_url: nullable(url),
    confirm: nullable(flag),
    custom_fields: { type: ['array', 'null'], maxItems: 5, items: customField },
    customer: {
      type: ['object', 'null'],
      properties: {
        customer_id: nullable(id),
        email,
        name: nullable(text(1, limits.nameMax)),
        phone_number: nullable(text(1, limits.phoneNumberMax)),
      },
    },
    customer_business_name: nullable(text(1, 250)),
    customization,
    discount_code: nullable(text(1, 255)),
    discount_codes: { type: ['array', 'null'], maxItems: 20, items: text(1, 255) },
    feature_flags: { type: ['object', 'null'], additionalProperties: nullable(flag) },
    force_3ds: nullable(flag),
    mandate_min_amount_inr_paise: nullable(whole(1, limits.moneyMax)),
    metadata: nullable(metadata),
    minimal_address: nullable(flag),
    payment_method_id: nullable(id),
    product_collection_id: nullable(id),
    return_url: nullable(url),
    short_link: nullable(flag),
    show_saved_payment_methods: nullable(flag),
    subscription_data: {
      type: ['object', 'null'],
      properties: {
        on_demand: { type: ['object', 'null'], properties: { mandate_only: flag } },
        trial_period_days: nullable(whole(0, limits.trialDaysMax)),
      },
    },
    tax_id: nullable(text(1, 255)),
  },
})

/** The purchase that a body asks for, but for its customer. */
export function checkoutRequest(body: CheckoutCreate): Omit<CheckoutRequest, 'customer'> {
  const flags = body.feature_flags ?? {}
  const { customization } = body
  const button = customization?.theme_config?.pay_button_text ?? null
  return {
    products: body.product_cart.map((each) => ({
      productId: each.product_id,
      quantity: each.quantity,
      amount: each.amount ?? null,
      trialPeriodDays: body.subscription_data?.trial_period_days ?? null,
      credits: Object.fromEntries(
        (each.credit_entitlements ?? []).map((amount) => [
          amount.credit_entitlement_id,
          amount.credits_amount,
        ]),
      ),
    })),
    billing: body.billing_address ?? null,
    returnUrl: body.return_url ?? null,
    cancelUrl: body.cancel_url ?? null,
    metadata: body.metadata ?? {},
    taxId: body.tax_id ?? null,
    customerBusinessName: body.customer_business_name ?? null,
    customFields: (body.custom_fields ?? []).map((field) => ({
      key: field.key,
      label: field.label,
      type: field.field_type,
      options: field.options ?? [],
      placeholder: field.placeholder ?? null,
      required: field.required ?? false,
    })),
    alwaysNewCustomer: flags['always_create_new_customer'] ?? false,
    editable: editableDetails.filter((name) => flags[`allow_customer_editing_${name}`] === true),
    asksFor: {
      minimalAddress: body.minimal_address ?? false,
      phoneNumber: phoneNumberOf(flags),
      taxId: flags['allow_tax_id'] ?? true,
    },
    forcesConfirmation: body.force_3ds ?? false,
    look: {
      theme: customization?.theme ?? 'system',
      language: customization?.force_language ?? null,
      payButton: button === '' ? null : button,
      showsOrder: customization?.show_order_details ?? true,
    },
    confirmed: body.confirm ?? false,
  }
}

function phoneNumberOf(
  flags: NonNullable<CheckoutCreate['feature_flags']>,
): CheckoutRequest['asksFor']['phoneNumber'] {
  if (flags['require_phone_number'] === true) return 'required'
  return (flags['allow_phone_number_collection'] ?? true) ? 'optional' : 'never'
}

/** What is wrong with a body that its schema cannot say; null: nothing. */
export function checkoutProblem(body: CheckoutCreate): string | null {
  const flags = body.feature_flags ?? {}
  const dropdown = (body.custom_fields ?? []).findIndex(
    ({ field_type: type, options }) => type === 'dropdown' && (options ?? []).length === 0,
  )
  const keys = (body.custom_fields ?? []).map(({ key }) => key)
  if (dropdown >= 0) return `custom_fields[${dropdown}].options is missing: a dropdown needs them.`
  if (new Set(keys).size < keys.length) return 'custom_fields must have different keys.'
  if (body.discount_code != null && body.discount_codes != null) {
    return 'discount_code and discount_codes exclude each other; use discount_codes.'
  }
  if (body.customer_business_name != null && body.tax_id == null) {
    return 'customer_business_name needs a tax_id.'
  }
  if (body.tax_id != null && body.billing_address == null) {
    return 'tax_id needs a billing_address with its country.'
  }
  if (flags['require_phone_number'] === true && flags['allow_phone_number_collection'] === false) {
    return 'feature_flags.require_phone_number needs allow_phone_number_collection.'
  }
  return body.confirm === true ? confirmProblem(body) : null
}

/** With `confirm` nobody is asked for anything more. */
function confirmProblem({
  customer,
  billing_address: at,
  minimal_address: minimal,
}: CheckoutCreate) {
  if (customer == null) return 'confirm needs a customer.'
  if (at == null) return 'confirm needs a billing_address.'
  const needed =
    minimal === true ? (['zipcode'] as const) : (['street', 'city', 'zipcode'] as const)
  const missing = needed.find((name) => (at[name] ?? '') === '')
  return missing === undefined ? null : `confirm needs billing_address.${missing}.`
}

/** What a body names besides products, for which there are no objects, or no processor. */
export const checkoutExtrasOf = (body: CheckoutCreate) => ({
  addonId: body.product_cart.flatMap(({ addons }) => addons ?? [])[0]?.addon_id ?? null,
  discountCode: body.discount_code ?? body.discount_codes?.[0] ?? null,
  collectionId: body.product_collection_id ?? null,
  paymentMethodId: body.payment_method_id ?? null,
  isOnDemand: body.subscription_data?.on_demand != null,
  takesCards:
    body.allowed_payment_method_types == null ||
    body.allowed_payment_method_types.some((type) => type === 'credit' || type === 'debit'),
})

/** The customer, by id or description; null: none was told. */
export const checkoutCustomer = (body: CheckoutCreate) =>
  body.customer == null ? null : namedCustomer(body.customer)
