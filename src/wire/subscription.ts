import { limits } from '../limits.ts'
import type { BillingAddress } from '../rules/commerce/billing-address.ts'
import type { Customer } from '../rules/commerce/catalog/customer.ts'
import type { Subscription } from '../rules/commerce/subscriptions/subscription.ts'
import { schema } from '../std/schema.ts'
import { email } from './customer.ts'
import { countryCodes, currencies } from './enums.ts'
import type { OnDemandBody } from './on-demand.ts'
import { onDemand } from './on-demand.ts'
import type { OneTimeItem } from './one-time-item.ts'
import { oneTimeItem } from './one-time-item.ts'
import { allowedMethodTypes } from './payment-method-types.ts'
import type { Definition } from './schemas.ts'
import { flag, id, metadata, nullable, oneOf, text, url, whole } from './schemas.ts'

/** [resources#subscriptions] */
export interface SubscriptionCreate {
  readonly billing: {
    readonly country: string
    readonly city?: string | null
    readonly state?: string | null
    readonly street?: string | null
    readonly zipcode?: string | null
  }
  readonly customer: {
    readonly customer_id?: string | null
    readonly email?: string
    readonly name?: string | null
    readonly phone_number?: string | null
  }
  readonly product_id: string
  readonly quantity: number
  readonly addons?: readonly { readonly addon_id: string; readonly quantity: number }[] | null
  readonly discount_code?: string | null
  readonly discount_codes?: readonly string[] | null
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | null
  readonly on_demand?: OnDemandBody | null
  readonly allowed_payment_method_types?: readonly string[] | null
  readonly billing_currency?: string | null
  readonly force_3ds?: boolean | null
  readonly one_time_product_cart?: readonly OneTimeItem[] | null
  readonly payment_link?: boolean | null
  readonly redirect_immediately?: boolean | null
  readonly require_phone_number?: boolean | null
  readonly return_url?: string | null
  readonly short_link?: boolean | null
  readonly show_saved_payment_methods?: boolean | null
  readonly payment_method_id?: string | null
  readonly tax_id?: string | null
  readonly customer_business_name?: string | null
  readonly trial_period_days?: number | null
}

export const billingAddress = (body: SubscriptionCreate['billing']): BillingAddress => ({
  country: body.country,
  city: body.city ?? null,
  state: body.state ?? null,
  street: body.street ?? null,
  zipcode: body.zipcode ?? null,
})

const address = nullable(text(0, 255))

export const billing: Definition = {
  type: 'object',
  required: ['country'],
  properties: {
    country: oneOf(countryCodes),
    city: address,
    state: address,
    street: address,
    zipcode: address,
  },
}

/**
 * Its keys tell which: with an id it is an existing customer, otherwise a new one.
 * [resources#customers]
 */
const customer: Definition = {
  type: 'object',
  properties: {
    customer_id: nullable(id),
    email,
    name: nullable(text(1, limits.nameMax)),
    phone_number: nullable(text(1, limits.phoneNumberMax)),
  },
}

export const addon: Definition = {
  type: 'object',
  required: ['addon_id', 'quantity'],
  properties: { addon_id: id, quantity: whole(1, 2 ** 31 - 1) },
}

/** What only matters on the way to a payment. [subscriptions#pending] */
const onTheWay: Readonly<Record<string, Definition>> = {
  allowed_payment_method_types: allowedMethodTypes,
  // Without meaning as long as there are no prices in several currencies. [resources#prices]
  billing_currency: nullable(oneOf(currencies)),
  force_3ds: nullable(flag),
  mandate_min_amount_inr_paise: nullable(whole(1, limits.moneyMax)),
  payment_link: nullable(flag),
  redirect_immediately: nullable(flag),
  require_phone_number: nullable(flag),
  return_url: nullable(url),
  short_link: nullable(flag),
  show_saved_payment_methods: nullable(flag),
}

export const subscriptionCreate = schema<SubscriptionCreate>({
  type: 'object',
  required: ['billing', 'customer', 'product_id', 'quantity'],
  properties: {
    billing,
    ...onTheWay,
    customer,
    payment_method_id: nullable(id),
    product_id: id,
    quantity: whole(1, 2 ** 31 - 1),
    addons: { type: ['array', 'null'], items: addon },
    discount_code: nullable(text(1, 255)),
    discount_codes: { type: ['array', 'null'], maxItems: 20, items: text(1, 255) },
    metadata: nullable(metadata),
    on_demand: onDemand,
    one_time_product_cart: { type: ['array', 'null'], maxItems: 99, items: oneTimeItem },
    tax_id: nullable(text(1, 255)),
    customer_business_name: nullable(text(1, 255)),
    trial_period_days: nullable(whole(0, limits.trialDaysMax)),
  },
})

/** [resources#subscriptions] */
export interface SubscriptionCreated {
  readonly addons: readonly never[]
  readonly client_secret: string | null
  readonly customer: CustomerLimitedDetails
  readonly discount_id: null
  readonly discount_ids: null
  readonly expires_on: string | null
  readonly metadata: Readonly<Record<string, string | number | boolean>>
  readonly one_time_product_cart: readonly Omit<OneTimeItem, 'amount'>[] | null
  readonly payment_id: string
  readonly payment_link: string | null
  readonly recurring_pre_tax_amount: number
  readonly subscription_id: string
  readonly trial_amount: number | null
}

/** [resources#customers] */
export interface CustomerLimitedDetails {
  readonly customer_id: string
  readonly email: string
  readonly name: string
  readonly metadata: Readonly<Record<string, string | number | boolean>>
  readonly phone_number: string | null
}

/** The customer, by id or description; else what is wrong with it, in a sentence. */
export function namedCustomer(
  named: SubscriptionCreate['customer'],
): NamedCustomer | { readonly problem: string } {
  const { customer_id: id, email, name = null, phone_number: phoneNumber = null } = named
  if (id !== undefined && id !== null) {
    if ((email ?? name ?? phoneNumber) === null) return { id }
    const problem =
      'customer must have a customer_id alone, or the email, name and phone_number of a customer.'
    return { problem }
  }
  if (email === undefined) return { problem: 'customer must have a customer_id or an email.' }
  return { email, name, phoneNumber }
}

type NamedCustomer =
  | { readonly id: string }
  | { readonly email: string; readonly name: string | null; readonly phoneNumber: string | null }

export const customerLimitedDetails = (customer: Customer): CustomerLimitedDetails => ({
  customer_id: customer.customerId,
  email: customer.email,
  name: customer.name,
  metadata: customer.metadata,
  phone_number: customer.phoneNumber,
})

export const subscriptionCreated = (
  subscription: Subscription,
  customer: Customer,
): SubscriptionCreated => ({
  addons: [],
  client_secret: null,
  customer: customerLimitedDetails(customer),
  discount_id: null,
  discount_ids: null,
  expires_on: null,
  metadata: subscription.metadata,
  one_time_product_cart: null,
  payment_id: subscription.paymentId ?? '',
  payment_link: null,
  recurring_pre_tax_amount: subscription.recurringPreTaxAmount,
  subscription_id: subscription.subscriptionId,
  trial_amount: null,
})
