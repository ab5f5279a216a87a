import type { TimeInterval } from '../../std/calendar.ts'
import type { OverageBehavior } from '../commerce/catalog/credit-settings.ts'
import type { Credits } from './credits.ts'

/** Whether, and how far, usage may go on when the grants are used up. */
export interface OverageTerms {
  readonly enabled: boolean
  /** Null: without limit. */
  readonly limit: Credits | null
  readonly behavior: OverageBehavior
}

export const noOverage: OverageTerms = {
  enabled: false,
  limit: null,
  behavior: 'forgive_at_reset',
}

export interface RolloverTerms {
  readonly enabled: boolean
  /** Null while rollover is on: everything rolls over. */
  readonly percentage: number | null
  readonly timeframe: { readonly count: number; readonly interval: TimeInterval } | null
  /** Null: no maximum. */
  readonly countMax: number | null
}

/**
 * The credit settings that hold for one entitlement of a subscription. Each level overrides the one
 * before it, and a null inherits: entitlement → product mapping → checkout → subscription cart.
 * [resources#attached-credits]
 */
export interface CreditTerms {
  readonly entitlementId: string
  readonly amount: Credits
  readonly overage: OverageTerms
  readonly rollover: RolloverTerms
  readonly expiresAfterDays: number | null
  readonly lowBalancePercent: number | null
  readonly trial: { readonly amount: Credits | null; readonly expireAfterTrial: boolean }
}

export const sameOverageTerms = (a: OverageTerms, b: OverageTerms): boolean =>
  a.enabled === b.enabled && a.limit === b.limit && a.behavior === b.behavior
