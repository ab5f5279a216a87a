import assert from 'node:assert/strict'
import type { CreditEntitlement } from '../rules/commerce/catalog/credit-entitlement.ts'
import { plainDecimal, plainDecimalOrNull } from '../rules/commerce/catalog/decimals.ts'
import type { CreditMapping } from '../rules/commerce/catalog/product.ts'
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

/** [resources#attached-credits] */
export type CreditMappingBody = Pick<CreditMapping, 'credit_entitlement_id' | 'credits_amount'> & {
  readonly [Key in keyof Omit<
    CreditMapping,
    'id' | 'credit_entitlement_id' | 'credits_amount'
  >]?: CreditMapping[Key]
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

/** The mapping as it is kept: null wherever the entitlement decides. */
export function creditMappingOf(mappingId: string, body: CreditMappingBody): CreditMapping {
  return {
    id: mappingId,
    credit_entitlement_id: body.credit_entitlement_id,
    credits_amount: plainDecimal(body.credits_amount),
    currency: body.currency ?? null,
    expires_after_days: body.expires_after_days ?? null,
    low_balance_threshold_percent: body.low_balance_threshold_percent ?? null,
    max_rollover_count: body.max_rollover_count ?? null,
    overage_behavior: body.overage_behavior ?? null,
    overage_enabled: body.overage_enabled ?? null,
    overage_limit: plainDecimalOrNull(body.overage_limit),
    price_per_unit: plainDecimalOrNull(body.price_per_unit),
    proration_behavior: body.proration_behavior ?? null,
    rollover_enabled: body.rollover_enabled ?? null,
    rollover_percentage: body.rollover_percentage ?? null,
    rollover_timeframe_count: body.rollover_timeframe_count ?? null,
    rollover_timeframe_interval: body.rollover_timeframe_interval ?? null,
    trial_credits: plainDecimalOrNull(body.trial_credits),
    trial_credits_expire_after_trial: body.trial_credits_expire_after_trial ?? null,
  }
}

export function creditMappingView(
  mapping: CreditMapping,
  entitlement: CreditEntitlement,
): CreditMappingView {
  // An entitlement is never removed, only marked deleted: a mapping always finds its own.
  assert(entitlement.creditEntitlementId === mapping.credit_entitlement_id)
  const settings = effectiveSettings(mapping, entitlement)
  return {
    id: mapping.id,
    credit_entitlement_id: mapping.credit_entitlement_id,
    credit_entitlement_name: entitlement.name,
    credit_entitlement_unit: entitlement.unit,
    credits_amount: mapping.credits_amount,
    currency: settings.currency,
    expires_after_days: settings.expiresAfterDays,
    low_balance_threshold_percent: mapping.low_balance_threshold_percent,
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
    trial_credits: mapping.trial_credits,
    trial_credits_expire_after_trial: trialCreditsExpire(mapping),
  }
}
