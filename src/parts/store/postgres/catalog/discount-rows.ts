import type { CatalogMetadata } from '../../../../rules/commerce/catalog/metadata.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type {
  CustomerEligibility,
  Discount,
  DiscountCustomer,
  DiscountType,
  DiscountUse,
} from '../../../../rules/commerce/discounts/discount.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A discount as the database has it. */
export interface DiscountRow {
  readonly discount_id: string
  readonly code: string
  readonly name: string | null
  readonly type: DiscountType
  readonly amount: number
  readonly currency_options: readonly CurrencyOptionJson[]
  readonly customer_eligibility: CustomerEligibility
  readonly restricted_to: readonly string[]
  readonly usage_limit: number | null
  readonly per_customer_usage_limit: number | null
  readonly starts_at: Instant | null
  readonly expires_at: Instant | null
  readonly subscription_cycles: number | null
  readonly preserve_on_plan_change: boolean
  readonly metadata: CatalogMetadata
  readonly times_used: number
  readonly held: number
  readonly deleted_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

interface CurrencyOptionJson {
  readonly currency: Currency
  readonly is_default: boolean
  readonly minimum_subtotal: number
  readonly max_amount_possible: number | null
}

export const discountColumns = sql`
  discount_id, code, name, type, amount, currency_options, customer_eligibility, restricted_to,
  usage_limit, per_customer_usage_limit, starts_at, expires_at, subscription_cycles,
  preserve_on_plan_change, metadata, times_used, held, deleted_at, created_at, updated_at`

export const discountOf = (row: DiscountRow): Discount => ({
  discountId: row.discount_id,
  code: row.code,
  name: row.name,
  type: row.type,
  amount: row.amount,
  currencyOptions: row.currency_options.map((option) => ({
    currency: option.currency,
    isDefault: option.is_default,
    minimumSubtotal: option.minimum_subtotal,
    maxAmountPossible: option.max_amount_possible,
  })),
  customerEligibility: row.customer_eligibility,
  restrictedTo: row.restricted_to,
  usageLimit: row.usage_limit,
  perCustomerUsageLimit: row.per_customer_usage_limit,
  startsAt: row.starts_at,
  expiresAt: row.expires_at,
  subscriptionCycles: row.subscription_cycles,
  preserveOnPlanChange: row.preserve_on_plan_change,
  metadata: row.metadata,
  timesUsed: row.times_used,
  held: row.held,
  deletedAt: row.deleted_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_discounts() takes it, which leaves the count of uses alone. */
export const discountRow = ({ businessId, mode }: Scope, discount: Discount): object => ({
  business_id: businessId,
  mode,
  discount_id: discount.discountId,
  code: discount.code,
  name: discount.name,
  type: discount.type,
  amount: discount.amount,
  currency_options: discount.currencyOptions.map(
    (option): CurrencyOptionJson => ({
      currency: option.currency,
      is_default: option.isDefault,
      minimum_subtotal: option.minimumSubtotal,
      max_amount_possible: option.maxAmountPossible,
    }),
  ),
  customer_eligibility: discount.customerEligibility,
  restricted_to: discount.restrictedTo,
  usage_limit: discount.usageLimit,
  per_customer_usage_limit: discount.perCustomerUsageLimit,
  starts_at: timestamptz(discount.startsAt),
  expires_at: timestamptz(discount.expiresAt),
  subscription_cycles: discount.subscriptionCycles,
  preserve_on_plan_change: discount.preserveOnPlanChange,
  metadata: discount.metadata,
  deleted_at: timestamptz(discount.deletedAt),
  created_at: timestamptz(discount.createdAt),
  updated_at: timestamptz(discount.updatedAt),
})

export const discountCustomerRow = (
  { businessId, mode }: Scope,
  { discountId, customerId, attachedAt }: DiscountCustomer,
): object => ({
  business_id: businessId,
  mode,
  discount_id: discountId,
  customer_id: customerId,
  attached_at: timestamptz(attachedAt),
})

export const discountUseRow = (
  { businessId, mode }: Scope,
  { discountId, usedFor, customerId, usedAt }: DiscountUse,
): object => ({
  business_id: businessId,
  mode,
  discount_id: discountId,
  used_for: usedFor,
  customer_id: customerId,
  used_at: timestamptz(usedAt),
})
