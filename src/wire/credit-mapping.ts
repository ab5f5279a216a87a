import assert from 'node:assert/strict'
import type { CreditEntitlement } from '../rules/commerce/catalog/credit-entitlement.ts'
import { plainDecimal, plainDecimalOrNull } from '../rules/commerce/catalog/decimals.ts'
import type { CreditMapping, WantedMapping } from '../rules/commerce/catalog/product.ts'
import {
  effectiveSettings,
  prorationOf,
  trialCreditsExpire,
} from '../rules/commerce/catalog/product.ts'
import type { TimeInterval } from '../std/calendar.ts'
import { creditSettings } from './credit-entitlement.ts'
import type { Currency, OverageBehavior, ProrationBehavior } from './enums.ts'
import { prorationBehaviors } from './enums.ts'
import type { Definition } from './schemas.ts'
import { creditAmount, creditAmountOrZero, flag, id, nullable, oneOf, percent } from './schemas.ts'

/** [resources#attached-credits]: fields that are absent or null are inherited. */
export interface CreditMappingBody {
  readonly credit_entitlement_id: string
  readonly credits_amount: string
  readonly currency?: Currency | null
  readonly expires_after_days?: number | null
  readonly low_balance_threshold_percent?: number | null
  readonly max_rollover_count?: number | null
  readonly overage_behavior?: OverageBehavior | null
  readonly overage_enabled?: boolean | null
  readonly overage_limit?: string | null
  readonly price_per_unit?: string | null
  readonly proration_behavior?: ProrationBehavior | null
  readonly rollover_enabled?: boolean | null
  readonly rollover_percentage?: number | null
  readonly rollover_timeframe_count?: number | null
  readonly rollover_timeframe_interval?: TimeInterval | null
  readonly trial_credits?: string | null
  readonly trial_credits_expire_after_trial?: boolean | null
}

/** [resources#attached-credits]: the settings that hold, inherited or not. */
export interface CreditMappingView {
  readonly id: string
  readonly credit_entitlement_id: string
  readonly credit_entitlement_name: string
  readonly credit_entitlement_unit: string
  readonly credits_amount: string
  readonly currency: Currency | null
  readonly expires_after_days: number | null
  readonly low_balance_threshold_percent: number | null
  readonly max_rollover_count: number | null
  readonly overage_behavior: OverageBehavior
  readonly overage_enabled: boolean
  readonly overage_limit: string | null
  readonly price_per_unit: string | null
  readonly proration_behavior: ProrationBehavior
  readonly rollover_enabled: boolean
  readonly rollover_percentage: number | null
  readonly rollover_timeframe_count: number | null
  readonly rollover_timeframe_interval: TimeInterval | null
  readonly trial_credits: string | null
  readonly trial_credits_expire_after_trial: boolean
}

export const creditMapping: Definition = {
  type: 'object',
  required: ['credit_entitlement_id', 'credits_amount'],
  properties: {
    ...creditSettings,
    credit_entitlement_id: id,
    credits_amount: creditAmount,
    low_balance_threshold_percent: nullable(percent),
    overage_enabled: nullable(flag),
    overage_limit: nullable(creditAmountOrZero),
    proration_behavior: nullable(oneOf(prorationBehaviors)),
    rollover_enabled: nullable(flag),
    trial_credits: nullable(creditAmountOrZero),
    trial_credits_expire_after_trial: nullable(flag),
  },
}

/** Null wherever the entitlement decides. */
export const wantedMapping = (body: CreditMappingBody): WantedMapping => ({
  creditEntitlementId: body.credit_entitlement_id,
  creditsAmount: plainDecimal(body.credits_amount),
  currency: body.currency ?? null,
  expiresAfterDays: body.expires_after_days ?? null,
  lowBalanceThresholdPercent: body.low_balance_threshold_percent ?? null,
  maxRolloverCount: body.max_rollover_count ?? null,
  overageBehavior: body.overage_behavior ?? null,
  overageEnabled: body.overage_enabled ?? null,
  overageLimit: plainDecimalOrNull(body.overage_limit),
  pricePerUnit: plainDecimalOrNull(body.price_per_unit),
  prorationBehavior: body.proration_behavior ?? null,
  rolloverEnabled: body.rollover_enabled ?? null,
  rolloverPercentage: body.rollover_percentage ?? null,
  rolloverTimeframeCount: body.rollover_timeframe_count ?? null,
  rolloverTimeframeInterval: body.rollover_timeframe_interval ?? null,
  trialCredits: plainDecimalOrNull(body.trial_credits),
  trialCreditsExpireAfterTrial: body.trial_credits_expire_after_trial ?? null,
})

export function creditMappingView(
  mapping: CreditMapping,
  entitlement: CreditEntitlement,
): CreditMappingView {
  // Entitlements are never removed, only marked as deleted, so a mapping always finds its own.
  assert(entitlement.creditEntitlementId === mapping.creditEntitlementId)
  const settings = effectiveSettings(mapping, entitlement)
  return {
    id: mapping.mappingId,
    credit_entitlement_id: mapping.creditEntitlementId,
    credit_entitlement_name: entitlement.name,
    credit_entitlement_unit: entitlement.unit,
    credits_amount: mapping.creditsAmount,
    currency: settings.currency,
    expires_after_days: settings.expiresAfterDays,
    low_balance_threshold_percent: mapping.lowBalanceThresholdPercent,
    max_rollover_count: settings.maxRolloverCount,
    overage_behavior: settings.overageBehavior,
    overage_enabled: settings.overageEnabled,
    overage_limit: settings.overageLimit,
    price_per_unit: settings.pricePerUnit,
    proration_behavior: prorationOf(mapping),
    rollover_enabled: settings.rolloverEnabled,
    rollover_percentage: settings.rolloverPercentage,
    rollover_timeframe_count: settings.rolloverTimeframeCount,
    rollover_timeframe_interval: settings.rolloverTimeframeInterval,
    trial_credits: mapping.trialCredits,
    trial_credits_expire_after_trial: trialCreditsExpire(mapping),
  }
}
