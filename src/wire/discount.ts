import { limits } from '../limits.ts'
import type { CatalogMetadata } from '../rules/commerce/catalog/metadata.ts'
import type {
  CurrencyOption,
  CustomerEligibility,
  Discount,
  DiscountChanges,
  DiscountType,
  WantedDiscount,
} from '../rules/commerce/discounts/discount.ts'
import { customerEligibilities, discountTypes } from '../rules/commerce/discounts/discount.ts'
import { discountLimits } from '../rules/commerce/discounts/discount-limits.ts'
import { codeInCapitals, withDefault } from '../rules/commerce/discounts/discount-rules.ts'
import { defined } from '../std/defined.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant, parseInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import type { Currency } from './enums.ts'
import { currencies } from './enums.ts'
import type { Definition } from './schemas.ts'
import { flag, id, metadata, money, nullable, oneOf, text, whole } from './schemas.ts'

/** What creating and changing have in common; each field may be absent or null. */
interface DiscountOptions {
  readonly code?: string | null
  readonly currency_options?: readonly CurrencyOptionBody[] | null
  readonly customer_eligibility?: CustomerEligibility | null
  readonly expires_at?: string | null
  readonly metadata?: CatalogMetadata | null
  readonly name?: string | null
  readonly per_customer_usage_limit?: number | null
  readonly preserve_on_plan_change?: boolean | null
  readonly restricted_to?: readonly string[] | null
  readonly starts_at?: string | null
  readonly subscription_cycles?: number | null
  readonly usage_limit?: number | null
}

interface CurrencyOptionBody {
  readonly currency: Currency
  readonly is_default?: boolean | null
  readonly max_amount_possible?: number | null
  readonly minimum_subtotal?: number | null
}

/** [resources#discounts] */
export interface DiscountCreate extends DiscountOptions {
  readonly amount: number
  readonly type: DiscountType
}

/** A null clears a field that may be empty, and keeps any other. [requests#nulls] */
export interface DiscountUpdate extends DiscountOptions {
  readonly amount?: number | null
  readonly type?: DiscountType | null
}

/** [resources#discounts] */
export interface DiscountView {
  readonly discount_id: string
  readonly business_id: string
  readonly code: string
  readonly name: string | null
  readonly type: DiscountType
  readonly amount: number
  readonly currency_options: readonly CurrencyOptionView[]
  readonly customer_eligibility: CustomerEligibility
  readonly restricted_to: readonly string[]
  readonly usage_limit: number | null
  readonly per_customer_usage_limit: number | null
  readonly times_used: number
  readonly starts_at: string | null
  readonly expires_at: string | null
  readonly subscription_cycles: number | null
  readonly preserve_on_plan_change: boolean
  readonly metadata: CatalogMetadata
  readonly created_at: string
}

export interface CurrencyOptionView {
  readonly currency: Currency
  readonly is_default: boolean
  readonly minimum_subtotal: number
  readonly max_amount_possible: number | null
}

const currencyOption: Definition = {
  type: 'object',
  required: ['currency'],
  properties: {
    currency: oneOf(currencies),
    is_default: nullable(flag),
    max_amount_possible: nullable(whole(1, limits.moneyMax)),
    minimum_subtotal: nullable(money),
  },
}

const moment: Definition = { type: ['string', 'null'], format: 'date-time' }
const count = nullable(whole(1, limits.moneyMax))

const options = {
  currency_options: {
    type: ['array', 'null'],
    maxItems: currencies.length,
    items: currencyOption,
  },
  customer_eligibility: nullable(oneOf(customerEligibilities)),
  expires_at: moment,
  metadata: nullable(metadata),
  name: nullable(text(1, limits.nameMax)),
  per_customer_usage_limit: count,
  preserve_on_plan_change: nullable(flag),
  restricted_to: { type: ['array', 'null'], maxItems: discountLimits.productsMax, items: id },
  starts_at: moment,
  subscription_cycles: count,
  usage_limit: count,
}

export const discountCreate = schema<DiscountCreate>({
  type: 'object',
  required: ['amount', 'type'],
  properties: {
    ...options,
    amount: money,
    type: oneOf(discountTypes),
    code: nullable(text(0, discountLimits.codeMax)),
  },
})

export const discountUpdate = schema<DiscountUpdate>({
  type: 'object',
  properties: {
    ...options,
    amount: nullable(money),
    type: nullable(oneOf(discountTypes)),
    code: nullable(text(discountLimits.codeMin, discountLimits.codeMax)),
  },
})

/** [resources#discounts] */
export interface DiscountCustomersBody {
  readonly customer_ids: readonly string[]
}

export const discountCustomers = schema<DiscountCustomersBody>({
  type: 'object',
  required: ['customer_ids'],
  properties: {
    customer_ids: {
      type: 'array',
      minItems: 1,
      maxItems: discountLimits.customersMax,
      items: id,
    },
  },
})

export const wantedCustomers = (body: DiscountCustomersBody): readonly string[] => body.customer_ids

export const discountCustomersView = (customerIds: readonly string[]): DiscountCustomersBody => ({
  customer_ids: customerIds,
})

/** The discount that a body asks for; without a code, one is to be made up. */
export const wantedDiscount = (body: DiscountCreate): WantedDiscount => ({
  code: body.code == null || body.code === '' ? null : codeInCapitals(body.code),
  name: body.name ?? null,
  type: body.type,
  amount: body.amount,
  currencyOptions: optionsOf(body.currency_options ?? []),
  customerEligibility: body.customer_eligibility ?? 'any',
  restrictedTo: once(body.restricted_to ?? []),
  usageLimit: body.usage_limit ?? null,
  perCustomerUsageLimit: body.per_customer_usage_limit ?? null,
  startsAt: momentOf(body.starts_at),
  expiresAt: momentOf(body.expires_at),
  subscriptionCycles: body.subscription_cycles ?? null,
  preserveOnPlanChange: body.preserve_on_plan_change ?? false,
  metadata: body.metadata ?? {},
})

/** Absent: kept. Null: cleared where the field may be empty, else kept. [requests#nulls] */
export const discountChanges = (body: DiscountUpdate): DiscountChanges =>
  defined({
    code: body.code == null ? undefined : codeInCapitals(body.code),
    name: body.name,
    type: body.type ?? undefined,
    amount: body.amount ?? undefined,
    currencyOptions: body.currency_options == null ? undefined : optionsOf(body.currency_options),
    customerEligibility: body.customer_eligibility ?? undefined,
    restrictedTo: body.restricted_to == null ? undefined : once(body.restricted_to),
    usageLimit: body.usage_limit,
    perCustomerUsageLimit: body.per_customer_usage_limit,
    startsAt: body.starts_at === undefined ? undefined : momentOf(body.starts_at),
    expiresAt: body.expires_at === undefined ? undefined : momentOf(body.expires_at),
    subscriptionCycles: body.subscription_cycles,
    preserveOnPlanChange: body.preserve_on_plan_change ?? undefined,
    metadata: body.metadata === undefined ? undefined : (body.metadata ?? {}),
  })

const optionsOf = (bodies: readonly CurrencyOptionBody[]): readonly CurrencyOption[] =>
  withDefault(
    bodies.map((body) => ({
      currency: body.currency,
      isDefault: body.is_default ?? false,
      minimumSubtotal: body.minimum_subtotal ?? 0,
      maxAmountPossible: body.max_amount_possible ?? null,
    })),
  )

const once = (ids: readonly string[]): readonly string[] => [...new Set(ids)]

const momentOf = (sent: string | null | undefined): Instant | null =>
  sent == null ? null : parseInstant(sent)

export const discountView = (businessId: string, discount: Discount): DiscountView => ({
  discount_id: discount.discountId,
  business_id: businessId,
  code: discount.code,
  name: discount.name,
  type: discount.type,
  amount: discount.amount,
  currency_options: discount.currencyOptions.map((option) => ({
    currency: option.currency,
    is_default: option.isDefault,
    minimum_subtotal: option.minimumSubtotal,
    max_amount_possible: option.maxAmountPossible,
  })),
  customer_eligibility: discount.customerEligibility,
  restricted_to: discount.restrictedTo,
  usage_limit: discount.usageLimit,
  per_customer_usage_limit: discount.perCustomerUsageLimit,
  times_used: discount.timesUsed,
  starts_at: momentView(discount.startsAt),
  expires_at: momentView(discount.expiresAt),
  subscription_cycles: discount.subscriptionCycles,
  preserve_on_plan_change: discount.preserveOnPlanChange,
  metadata: discount.metadata,
  created_at: formatInstant(discount.createdAt),
})

const momentView = (at: Instant | null): string | null => (at === null ? null : formatInstant(at))
