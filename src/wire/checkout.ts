import { limits } from '../limits.ts'
import type { BillingAddress } from '../rules/commerce/billing-address.ts'
import type { CatalogMetadata } from '../rules/commerce/catalog/metadata.ts'
import type { CheckoutRequest } from '../rules/commerce/payments/checkout-session.ts'
import { customFieldTypes, editableDetails } from '../rules/commerce/payments/checkout-session.ts'
import { schema } from '../std/schema.ts'
import { email } from './customer.ts'
import { countryCodes, currencies } from './enums.ts'
import type { OnDemandBody } from './on-demand.ts'
import { onDemand, onDemandStart } from './on-demand.ts'
import type { ThemeConfig } from './page-design.ts'
import { pageDesign, themeConfig } from './page-design.ts'
import { allowedMethodTypes } from './payment-method-types.ts'
import type { Definition } from './schemas.ts'
import {
  creditAmount,
  flag,
  id,
  metadata,
  money,
  nullable,
  oneOf,
  text,
  url,
  whole,
} from './schemas.ts'
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
    readonly show_on_demand_tag?: boolean | null
    readonly show_order_details?: boolean | null
    readonly theme?: 'dark' | 'light' | 'system' | null
    readonly theme_config?: ThemeConfig | null
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
  readonly short_link?: boolean | null
  readonly show_saved_payment_methods?: boolean | null
  readonly subscription_data?: {
    readonly on_demand?: OnDemandBody | null
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

const customization: Definition = {
  type: ['object', 'null'],
  properties: {
    force_language: nullable(text(2, 16)),
    show_on_demand_tag: nullable(flag),
    show_order_details: nullable(flag),
    theme: nullable(oneOf(['dark', 'light', 'system'])),
    theme_config: themeConfig,
  },
}

/** What the page lets people do. One that nobody knows is refused, so that none is misspelt. */
const featureFlags: Definition = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: Object.fromEntries(
    [
      ...editableDetails.map((name) => `allow_customer_editing_${name}`),
      'allow_currency_selection',
      'allow_discount_code',
      'allow_editing_addons',
      'allow_phone_number_collection',
      'allow_tax_id',
      'always_create_new_customer',
      'redirect_immediately',
      'require_phone_number',
      'single_page',
    ].map((name) => [name, nullable(flag)]),
  ),
}

export const checkoutCreate = schema<CheckoutCreate>({
  type: 'object',
  required: ['product_cart'],
  properties: {
    product_cart: { type: 'array', maxItems: 100, items: item },
    allowed_payment_method_types: allowedMethodTypes,
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
    feature_flags: featureFlags,
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
        on_demand: onDemand,
        trial_period_days: nullable(whole(0, limits.trialDaysMax)),
      },
    },
    tax_id: nullable(text(1, 255)),
  },
})

/** The purchase that a body asks for, but for its customer. */
export function checkoutRequest(body: CheckoutCreate): Omit<CheckoutRequest, 'customer'> {
  const flags = body.feature_flags ?? {}
  return {
    products: body.product_cart.map((each) => ({
      productId: each.product_id,
      quantity: each.quantity,
      amount: each.amount ?? null,
      trialPeriodDays: body.subscription_data?.trial_period_days ?? null,
      addons: (each.addons ?? []).map(({ addon_id: addonId, quantity }) => ({ addonId, quantity })),
      credits: Object.fromEntries(
        (each.credit_entitlements ?? []).map((amount) => [
          amount.credit_entitlement_id,
          amount.credits_amount,
        ]),
      ),
    })),
    collectionId: body.product_collection_id ?? null,
    onDemand: onDemandStart(body.subscription_data?.on_demand),
    settles: null,
    trialPeriodDays: body.subscription_data?.trial_period_days ?? null,
    discountCodes: body.discount_codes ?? (body.discount_code == null ? [] : [body.discount_code]),
    currency: currencies.find((each) => each === body.billing_currency) ?? null,
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
    allows: {
      discountCode: (flags['allow_discount_code'] ?? true) && body.product_collection_id == null,
      currency: flags['allow_currency_selection'] ?? true,
      addons: flags['allow_editing_addons'] ?? false,
    },
    asksFor: {
      minimalAddress: body.minimal_address ?? false,
      phoneNumber: phoneNumberOf(flags),
      taxId: flags['allow_tax_id'] ?? true,
    },
    forcesConfirmation: body.force_3ds ?? false,
    offersSavedMethods:
      body.show_saved_payment_methods === true && body.customer?.customer_id != null,
    returnsAtOnce: flags['redirect_immediately'] ?? true,
    look: lookOf(body),
    confirmed: body.confirm ?? false,
  }
}

function lookOf({
  customization,
  feature_flags: flags,
}: Pick<CheckoutCreate, 'customization' | 'feature_flags'>): CheckoutRequest['look'] {
  const theme = customization?.theme_config ?? {}
  return {
    theme: customization?.theme ?? 'system',
    language: customization?.force_language ?? null,
    payButton: (theme.pay_button_text ?? '') === '' ? null : (theme.pay_button_text ?? null),
    showsOrder: customization?.show_order_details ?? true,
    showsOnDemand: customization?.show_on_demand_tag ?? true,
    inSteps: flags?.['single_page'] === false,
    design: pageDesign(theme),
  }
}

function phoneNumberOf(
  flags: NonNullable<CheckoutCreate['feature_flags']>,
): CheckoutRequest['asksFor']['phoneNumber'] {
  if (flags['require_phone_number'] === true) return 'required'
  return (flags['allow_phone_number_collection'] ?? true) ? 'optional' : 'never'
}

/** Whether cards are among the ways to pay that a body allows. */
export const takesCards = ({
  allowed_payment_method_types: types,
}: Pick<CheckoutCreate, 'allowed_payment_method_types'>): boolean =>
  types == null || types.some((type) => type === 'credit' || type === 'debit')

/** The customer, by id or description; null: none was told. */
export const checkoutCustomer = (body: CheckoutCreate) =>
  body.customer == null ? null : namedCustomer(body.customer)
