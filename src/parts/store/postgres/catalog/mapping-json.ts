import type { OverageBehavior } from '../../../../rules/commerce/catalog/credit-settings.ts'
import type {
  CreditMapping,
  ProrationBehavior,
} from '../../../../rules/commerce/catalog/product.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { TimeInterval } from '../../../../std/calendar.ts'

/** An entitlement attached to a product, as it is stored in a jsonb column. */
export interface MappingJson {
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

export const mappingJson = (mapping: CreditMapping): MappingJson => ({
  id: mapping.mappingId,
  credit_entitlement_id: mapping.creditEntitlementId,
  credits_amount: mapping.creditsAmount,
  currency: mapping.currency,
  expires_after_days: mapping.expiresAfterDays,
  low_balance_threshold_percent: mapping.lowBalanceThresholdPercent,
  max_rollover_count: mapping.maxRolloverCount,
  overage_behavior: mapping.overageBehavior,
  overage_enabled: mapping.overageEnabled,
  overage_limit: mapping.overageLimit,
  price_per_unit: mapping.pricePerUnit,
  proration_behavior: mapping.prorationBehavior,
  rollover_enabled: mapping.rolloverEnabled,
  rollover_percentage: mapping.rolloverPercentage,
  rollover_timeframe_count: mapping.rolloverTimeframeCount,
  rollover_timeframe_interval: mapping.rolloverTimeframeInterval,
  trial_credits: mapping.trialCredits,
  trial_credits_expire_after_trial: mapping.trialCreditsExpireAfterTrial,
})

export const mappingFrom = (stored: MappingJson): CreditMapping => ({
  mappingId: stored.id,
  creditEntitlementId: stored.credit_entitlement_id,
  creditsAmount: stored.credits_amount,
  currency: stored.currency,
  expiresAfterDays: stored.expires_after_days,
  lowBalanceThresholdPercent: stored.low_balance_threshold_percent,
  maxRolloverCount: stored.max_rollover_count,
  overageBehavior: stored.overage_behavior,
  overageEnabled: stored.overage_enabled,
  overageLimit: stored.overage_limit,
  pricePerUnit: stored.price_per_unit,
  prorationBehavior: stored.proration_behavior,
  rolloverEnabled: stored.rollover_enabled,
  rolloverPercentage: stored.rollover_percentage,
  rolloverTimeframeCount: stored.rollover_timeframe_count,
  rolloverTimeframeInterval: stored.rollover_timeframe_interval,
  trialCredits: stored.trial_credits,
  trialCreditsExpireAfterTrial: stored.trial_credits_expire_after_trial,
})
