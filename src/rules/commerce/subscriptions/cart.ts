import type { TimeInterval } from '../../../std/calendar.ts'
import { powerOfTen } from '../../../std/decimal.ts'
import type { Credits } from '../../credits/credits.ts'
import { credits, parseCredits } from '../../credits/credits.ts'
import type { CreditTerms, OverageBehavior, OverageTerms } from '../../credits/terms.ts'

/** The credit settings that an entitlement has and a mapping or a subscription may override. */
export interface CreditSettings {
  readonly expires_after_days: number | null
  readonly max_rollover_count: number | null
  readonly overage_behavior: OverageBehavior
  readonly overage_enabled: boolean
  /** Decimal text; an entitlement's own is a whole number. */
  readonly overage_limit: string | null
  readonly price_per_unit: string | null
  readonly currency: string | null
  readonly rollover_enabled: boolean
  readonly rollover_percentage: number | null
  readonly rollover_timeframe_count: number | null
  readonly rollover_timeframe_interval: TimeInterval | null
}

/** A product's mapping to an entitlement as it was sent: null or missing inherits. [contract D.2] */
export type Mapping = {
  readonly [Name in keyof CreditSettings]?: CreditSettings[Name] | null | undefined
} & {
  readonly credit_entitlement_id: string
  readonly credits_amount: string
  readonly low_balance_threshold_percent?: number | null | undefined
  readonly proration_behavior?: 'prorate' | 'no_prorate' | null | undefined
  readonly trial_credits?: string | null | undefined
  readonly trial_credits_expire_after_trial?: boolean | null | undefined
}

/** One entitlement in a subscription's cart: every setting decided, kept with the subscription. */
export interface CartItem extends CreditSettings {
  readonly credit_entitlement_id: string
  readonly product_id: string
  readonly credits_amount: string
  readonly low_balance_threshold_percent: number | null
  readonly proration_behavior: 'prorate' | 'no_prorate'
  readonly trial_credits: string | null
  readonly trial_credits_expire_after_trial: boolean
}

const inherited = [
  'expires_after_days',
  'max_rollover_count',
  'overage_behavior',
  'overage_enabled',
  'overage_limit',
  'price_per_unit',
  'currency',
  'rollover_enabled',
  'rollover_percentage',
  'rollover_timeframe_count',
  'rollover_timeframe_interval',
] as const

/** entitlement → product mapping: a null on the lower level inherits. [contract D.2] */
export function effectiveSettings(entitlement: CreditSettings, mapping: Mapping): CreditSettings {
  const decided = Object.fromEntries(
    inherited.map((name) => [name, mapping[name] ?? entitlement[name]]),
  )
  return { ...entitlement, ...decided }
}

export function cartItem(
  entitlement: CreditSettings,
  mapping: Mapping,
  productId: string,
): CartItem {
  return {
    ...effectiveSettings(entitlement, mapping),
    credit_entitlement_id: mapping.credit_entitlement_id,
    product_id: productId,
    credits_amount: mapping.credits_amount,
    low_balance_threshold_percent: mapping.low_balance_threshold_percent ?? null,
    proration_behavior: mapping.proration_behavior ?? 'no_prorate',
    trial_credits: mapping.trial_credits ?? null,
    trial_credits_expire_after_trial: mapping.trial_credits_expire_after_trial ?? false,
  }
}

/** The same in exact quantities of the entitlement's precision. */
export function termsOf(item: CartItem, precision: number): CreditTerms {
  return {
    entitlementId: item.credit_entitlement_id,
    amount: amountOf(item.credits_amount, precision),
    overage: overageTermsOf(item, precision),
    rollover: {
      enabled: item.rollover_enabled,
      percentage: item.rollover_percentage,
      timeframe:
        item.rollover_timeframe_count === null || item.rollover_timeframe_interval === null
          ? null
          : { count: item.rollover_timeframe_count, interval: item.rollover_timeframe_interval },
      countMax: item.max_rollover_count,
    },
    expiresAfterDays: item.expires_after_days,
    lowBalancePercent: item.low_balance_threshold_percent,
    trial: {
      amount: item.trial_credits === null ? null : amountOf(item.trial_credits, precision),
      expireAfterTrial: item.trial_credits_expire_after_trial,
    },
  }
}

export function overageTermsOf(settings: CreditSettings, precision: number): OverageTerms {
  return {
    enabled: settings.overage_enabled,
    limit: settings.overage_limit === null ? null : amountOf(settings.overage_limit, precision),
    behavior: settings.overage_behavior,
  }
}

/** Amounts were checked against the precision when they came in; more digits are cut. */
function amountOf(text: string, precision: number): Credits {
  const exact = parseCredits(text, precision)
  if (exact !== null) return exact
  const finer = parseCredits(text, 28) ?? credits(0n)
  return credits(finer / powerOfTen(28 - precision))
}
