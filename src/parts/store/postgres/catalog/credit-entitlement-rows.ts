import type { CreditEntitlement } from '../../../../rules/commerce/catalog/credit-entitlement.ts'
import type { OverageBehavior } from '../../../../rules/commerce/catalog/credit-settings.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { Folded } from '../../../../rules/meter/route.ts'
import type { TimeInterval } from '../../../../std/calendar.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { StoredLink } from './meter-links.ts'
import { meterLinkOf, storedLink } from './meter-links.ts'
import type { StretchJson } from './stretches.ts'
import { overJson, stretchesFrom, stretchJson } from './stretches.ts'

/** The columns of its settings, as rows have them and documents made of rows. */
export interface EntitlementSettings {
  readonly name: string
  readonly description: string | null
  readonly unit: string
  readonly precision: number
  readonly expires_after_days: number | null
  readonly rollover_enabled: boolean
  readonly rollover_percentage: number | null
  readonly rollover_timeframe_count: number | null
  readonly rollover_timeframe_interval: TimeInterval | null
  readonly max_rollover_count: number | null
  readonly overage_enabled: boolean
  readonly overage_behavior: OverageBehavior
  /** Text in documents. */
  readonly overage_limit: number | string | null
  readonly price_per_unit: string | null
  readonly currency: Currency | null
  readonly low_balance_threshold: string | null
}

/** A credit entitlement as the database has it. */
export interface EntitlementRow extends EntitlementSettings {
  readonly credit_entitlement_id: string
  readonly meter_links: readonly StoredLink[]
  readonly stretches: readonly StretchJson[]
  readonly deleted_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const entitlementColumns = sql`
  credit_entitlement_id, name, description, unit, precision, expires_after_days, rollover_enabled,
  rollover_percentage, rollover_timeframe_count, rollover_timeframe_interval, max_rollover_count,
  overage_enabled, overage_behavior, overage_limit, price_per_unit, currency, low_balance_threshold,
  meter_links, stretches, deleted_at, created_at, updated_at`

export const settingsOf = (row: EntitlementSettings) => ({
  name: row.name,
  description: row.description,
  unit: row.unit,
  precision: row.precision,
  expiresAfterDays: row.expires_after_days,
  rolloverEnabled: row.rollover_enabled,
  rolloverPercentage: row.rollover_percentage,
  rolloverTimeframeCount: row.rollover_timeframe_count,
  rolloverTimeframeInterval: row.rollover_timeframe_interval,
  maxRolloverCount: row.max_rollover_count,
  overageEnabled: row.overage_enabled,
  overageBehavior: row.overage_behavior,
  overageLimit: row.overage_limit === null ? null : String(row.overage_limit),
  pricePerUnit: row.price_per_unit,
  currency: row.currency,
  lowBalanceThreshold: row.low_balance_threshold,
})

export const entitlementOf = (row: EntitlementRow): CreditEntitlement => ({
  creditEntitlementId: row.credit_entitlement_id,
  ...settingsOf(row),
  meterLinks: row.meter_links.map(meterLinkOf),
  stretches: stretchesFrom(row.stretches),
  deletedAt: row.deleted_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_credit_entitlements() takes it. */
export const entitlementRow = (
  scope: Scope,
  { row, over }: { readonly row: CreditEntitlement; readonly over: Folded['over'] },
): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  credit_entitlement_id: row.creditEntitlementId,
  name: row.name,
  description: row.description,
  unit: row.unit,
  precision: row.precision,
  expires_after_days: row.expiresAfterDays,
  rollover_enabled: row.rolloverEnabled,
  rollover_percentage: row.rolloverPercentage,
  rollover_timeframe_count: row.rolloverTimeframeCount,
  rollover_timeframe_interval: row.rolloverTimeframeInterval,
  max_rollover_count: row.maxRolloverCount,
  overage_enabled: row.overageEnabled,
  overage_behavior: row.overageBehavior,
  overage_limit: row.overageLimit,
  price_per_unit: row.pricePerUnit,
  currency: row.currency,
  low_balance_threshold: row.lowBalanceThreshold,
  meter_links: row.meterLinks.map(storedLink),
  stretches: row.stretches.map(stretchJson),
  deleted_at: timestamptz(row.deletedAt),
  created_at: timestamptz(row.createdAt),
  updated_at: timestamptz(row.updatedAt),
  over: overJson(over),
})
