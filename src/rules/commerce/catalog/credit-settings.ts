import type { TimeInterval } from '../../../std/calendar.ts'
import type { Currency } from '../currency.ts'
import type { Rejection } from './rejection.ts'
import { invalid } from './rejection.ts'

/** [credits#overage] */
export const overageBehaviors = [
  'forgive_at_reset',
  'invoice_at_billing',
  'carry_deficit',
  'carry_deficit_auto_repay',
] as const

export type OverageBehavior = (typeof overageBehaviors)[number]

/**
 * How credits expire, roll over and run into overage. An entitlement has all of these settings, and
 * a product may override each one. Decimals are plain text. [resources#credit-entitlements,
 * resources#attached-credits]
 */
export interface CreditSettings {
  /** Null: never. */
  readonly expiresAfterDays: number | null
  readonly rolloverEnabled: boolean
  /** Null: 100 percent. */
  readonly rolloverPercentage: number | null
  readonly rolloverTimeframeCount: number | null
  readonly rolloverTimeframeInterval: TimeInterval | null
  /** Null: no maximum. */
  readonly maxRolloverCount: number | null
  readonly overageEnabled: boolean
  readonly overageBehavior: OverageBehavior
  /** In credits; null: unlimited. */
  readonly overageLimit: string | null
  /** Price of one credit of overage, in the currency's smallest unit. */
  readonly pricePerUnit: string | null
  readonly currency: Currency | null
}

/**
 * What must hold between the settings, wherever each of them came from: checked on the merged state
 * of a change, and of a product's overrides. `where` is put before the names of fields.
 * [resources#credit-entitlements]
 */
export function settingsRejection(settings: CreditSettings, where = ''): Rejection | null {
  const { rolloverTimeframeCount: count, rolloverTimeframeInterval: interval } = settings
  if ((count === null) !== (interval === null)) {
    const [set, missing] = count === null ? ['interval', 'count'] : ['count', 'interval']
    const field = `${where}rollover_timeframe_`
    return invalid(`${field}${set} needs ${field}${missing}: set both, or neither.`)
  }
  if (settings.overageEnabled && settings.pricePerUnit === null) {
    return invalid(`${where}price_per_unit is required when overage_enabled is true.`)
  }
  if (settings.pricePerUnit !== null && settings.currency === null) {
    return invalid(`${where}currency is required when price_per_unit is set.`)
  }
  return null
}
