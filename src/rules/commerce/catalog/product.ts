import type { TimeInterval } from '../../../std/calendar.ts'
import type { Instant } from '../../../std/instant.ts'
import type { Currency } from '../currency.ts'
import type { CreditEntitlement } from './credit-entitlement.ts'
import type { CreditSettings, OverageBehavior } from './credit-settings.ts'
import type { CatalogMetadata } from './metadata.ts'
import type { Price } from './price.ts'

/** [resources#names-of-choices] */
export const taxCategories = [
  'digital_products',
  'saas',
  'e_book',
  'edtech',
  'live_tutoring',
] as const
export type TaxCategory = (typeof taxCategories)[number]

export const prorationBehaviors = ['prorate', 'no_prorate'] as const
export type ProrationBehavior = (typeof prorationBehaviors)[number]

export interface Product {
  readonly productId: string
  readonly brandId: string
  readonly name: string
  readonly description: string | null
  readonly taxCategory: TaxCategory
  readonly price: Price
  readonly creditEntitlements: readonly CreditMapping[]
  readonly metadata: CatalogMetadata
  readonly archivedAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/**
 * An entitlement attached to a product, in the API's own shape. Kept as it was sent: null inherits
 * from the entitlement, today and after the entitlement changed. [resources#attached-credits]
 */
export interface CreditMapping {
  readonly id: string
  readonly credit_entitlement_id: string
  readonly credits_amount: string
  readonly currency: Currency | null
  readonly expires_after_days: number | null
  readonly low_balance_threshold_percent: number | null
  readonly max_rollover_count: number | null
  readonly overage_behavior: OverageBehavior | null
  readonly overage_enabled: boolean | null
  readonly overage_limit: string | null
  readonly price_per_unit: string | null
  readonly proration_behavior: ProrationBehavior | null
  readonly rollover_enabled: boolean | null
  readonly rollover_percentage: number | null
  readonly rollover_timeframe_count: number | null
  readonly rollover_timeframe_interval: TimeInterval | null
  readonly trial_credits: string | null
  readonly trial_credits_expire_after_trial: boolean | null
}

/** The settings that hold for a product's credits: its own where set, else the entitlement's. */
export function effectiveSettings(
  mapping: CreditMapping,
  entitlement: CreditEntitlement,
): CreditSettings {
  return {
    expiresAfterDays: mapping.expires_after_days ?? entitlement.expiresAfterDays,
    rolloverEnabled: mapping.rollover_enabled ?? entitlement.rolloverEnabled,
    rolloverPercentage: mapping.rollover_percentage ?? entitlement.rolloverPercentage,
    rolloverTimeframeCount: mapping.rollover_timeframe_count ?? entitlement.rolloverTimeframeCount,
    rolloverTimeframeInterval:
      mapping.rollover_timeframe_interval ?? entitlement.rolloverTimeframeInterval,
    maxRolloverCount: mapping.max_rollover_count ?? entitlement.maxRolloverCount,
    overageEnabled: mapping.overage_enabled ?? entitlement.overageEnabled,
    overageBehavior: mapping.overage_behavior ?? entitlement.overageBehavior,
    overageLimit: mapping.overage_limit ?? entitlement.overageLimit,
    pricePerUnit: mapping.price_per_unit ?? entitlement.pricePerUnit,
    currency: mapping.currency ?? entitlement.currency,
  }
}

/** What only a mapping says, with its defaults. [resources#attached-credits] */
export const prorationOf = (mapping: CreditMapping): ProrationBehavior =>
  mapping.proration_behavior ?? 'no_prorate'
export const trialCreditsExpire = (mapping: CreditMapping): boolean =>
  mapping.trial_credits_expire_after_trial ?? false
