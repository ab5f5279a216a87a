import { limits } from '../limits.ts'
import type {
  CreditEntitlement,
  EntitlementChange,
  MeterLink,
  WantedEntitlement,
} from '../rules/commerce/catalog/credit-entitlement.ts'
import {
  plainDecimal,
  plainDecimalIfSent,
  plainDecimalOrNull,
} from '../rules/commerce/catalog/decimals.ts'
import type { TimeInterval } from '../std/calendar.ts'
import { defined } from '../std/defined.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import type { Currency, OverageBehavior } from './enums.ts'
import { currencies, overageBehaviors, timeIntervals } from './enums.ts'
import {
  creditAmountOrZero,
  flag,
  id,
  meterUnits,
  nullable,
  oneOf,
  ours,
  percent,
  pricePerUnit,
  refused,
  text,
  whole,
} from './schemas.ts'

/** What creating and changing have in common; each field may be absent or null. */
interface CreditEntitlementOptions {
  readonly currency?: Currency | null
  readonly description?: string | null
  readonly expires_after_days?: number | null
  readonly max_rollover_count?: number | null
  readonly overage_behavior?: OverageBehavior | null
  readonly overage_limit?: number | null
  readonly price_per_unit?: string | null
  readonly rollover_percentage?: number | null
  readonly rollover_timeframe_count?: number | null
  readonly rollover_timeframe_interval?: TimeInterval | null
  /**
   * Ours: default links and the low-balance threshold for them. [meters#who-takes-the-usage,
   * credits#low-balance]
   */
  readonly meter_links?: readonly MeterLinkBody[] | null
  readonly low_balance_threshold?: string | null
}

export interface MeterLinkBody {
  readonly meter_id: string
  readonly meter_units_per_credit: string
  readonly free_threshold?: number | null
}

/** [resources#credit-entitlements] */
export interface CreditEntitlementCreate extends CreditEntitlementOptions {
  readonly name: string
  readonly unit: string
  readonly precision: number
  readonly overage_enabled: boolean
  readonly rollover_enabled: boolean
}

/**
 * A null clears a field that may be empty, and keeps any other. [resources#credit-entitlements,
 * requests#nulls]
 */
export interface CreditEntitlementUpdate extends CreditEntitlementOptions {
  readonly name?: string | null
  readonly unit?: string | null
  readonly overage_enabled?: boolean | null
  readonly rollover_enabled?: boolean | null
}

/** [resources#credit-entitlements], and the fields that are ours. */
export interface CreditEntitlementView {
  readonly id: string
  readonly business_id: string
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
  readonly overage_limit: number | null
  readonly price_per_unit: string | null
  readonly currency: Currency | null
  readonly low_balance_threshold: string | null
  readonly meter_links: readonly MeterLinkView[]
  readonly created_at: string
  readonly updated_at: string
}

export interface MeterLinkView {
  readonly meter_id: string
  readonly meter_units_per_credit: string
  readonly free_threshold: number | null
}

/**
 * Settings that products may override; they have the same schema there.
 * [resources#credit-entitlements]
 */
export const creditSettings = {
  currency: nullable(oneOf(currencies)),
  expires_after_days: nullable(whole(limits.expiryDaysMin, limits.expiryDaysMax)),
  max_rollover_count: nullable(whole(0, limits.moneyMax)),
  overage_behavior: nullable(oneOf(overageBehaviors)),
  price_per_unit: nullable(pricePerUnit),
  rollover_percentage: nullable(percent),
  rollover_timeframe_count: nullable(whole(1, limits.intervalCountMax)),
  rollover_timeframe_interval: nullable(oneOf(timeIntervals)),
}

const meterLink = {
  type: 'object',
  required: ['meter_id', 'meter_units_per_credit'],
  properties: {
    meter_id: id,
    meter_units_per_credit: meterUnits,
    free_threshold: nullable(whole(0, Number.MAX_SAFE_INTEGER)),
  },
}

const options = {
  ...creditSettings,
  description: nullable(text(0, limits.descriptionMax)),
  overage_limit: nullable(whole(0, Number.MAX_SAFE_INTEGER)),
  meter_links: ours({
    type: ['array', 'null'],
    maxItems: limits.meterLinksMax,
    items: meterLink,
  }),
  low_balance_threshold: ours(nullable(creditAmountOrZero)),
}

const name = text(1, limits.nameMax)
const unit = text(1, limits.unitMax)

export const creditEntitlementCreate = schema<CreditEntitlementCreate>({
  type: 'object',
  required: ['name', 'unit', 'precision', 'overage_enabled', 'rollover_enabled'],
  properties: {
    ...options,
    name,
    unit,
    precision: whole(0, limits.precisionMax),
    overage_enabled: flag,
    rollover_enabled: flag,
  },
})

export const creditEntitlementUpdate = schema<CreditEntitlementUpdate>({
  type: 'object',
  properties: {
    ...options,
    name: nullable(name),
    unit: nullable(unit),
    precision: refused('cannot be changed'),
    overage_enabled: nullable(flag),
    rollover_enabled: nullable(flag),
  },
})

/** The entitlement that a body asks for. */
export const wantedEntitlement = (body: CreditEntitlementCreate): WantedEntitlement => ({
  name: body.name,
  description: body.description ?? null,
  unit: body.unit,
  precision: body.precision,
  expiresAfterDays: body.expires_after_days ?? null,
  rolloverEnabled: body.rollover_enabled,
  rolloverPercentage: body.rollover_percentage ?? null,
  rolloverTimeframeCount: body.rollover_timeframe_count ?? null,
  rolloverTimeframeInterval: body.rollover_timeframe_interval ?? null,
  maxRolloverCount: body.max_rollover_count ?? null,
  overageEnabled: body.overage_enabled,
  overageBehavior: body.overage_behavior ?? 'forgive_at_reset',
  overageLimit: plainDecimalOrNull(body.overage_limit?.toString()),
  pricePerUnit: plainDecimalOrNull(body.price_per_unit),
  currency: body.currency ?? null,
  lowBalanceThreshold: plainDecimalOrNull(body.low_balance_threshold),
  meterLinks: wantedLinks(body.meter_links),
})

/** Absent: kept. Null: cleared where the field may be empty, else kept. [requests#nulls] */
export const entitlementChange = (body: CreditEntitlementUpdate): EntitlementChange =>
  defined({
    name: body.name ?? undefined,
    description: body.description,
    unit: body.unit ?? undefined,
    expiresAfterDays: body.expires_after_days,
    rolloverEnabled: body.rollover_enabled ?? undefined,
    rolloverPercentage: body.rollover_percentage,
    rolloverTimeframeCount: body.rollover_timeframe_count,
    rolloverTimeframeInterval: body.rollover_timeframe_interval,
    maxRolloverCount: body.max_rollover_count,
    overageEnabled: body.overage_enabled ?? undefined,
    overageBehavior: body.overage_behavior ?? undefined,
    overageLimit: plainDecimalIfSent(
      body.overage_limit === undefined ? undefined : (body.overage_limit?.toString() ?? null),
    ),
    pricePerUnit: plainDecimalIfSent(body.price_per_unit),
    currency: body.currency,
    lowBalanceThreshold: plainDecimalIfSent(body.low_balance_threshold),
    meterLinks: body.meter_links === undefined ? undefined : wantedLinks(body.meter_links),
  })

const wantedLinks = (links: readonly MeterLinkBody[] | null | undefined): readonly MeterLink[] =>
  (links ?? []).map((link) => ({
    meterId: link.meter_id,
    meterUnitsPerCredit: plainDecimal(link.meter_units_per_credit),
    freeThreshold: link.free_threshold ?? null,
  }))

export function creditEntitlementView(
  businessId: string,
  entitlement: CreditEntitlement,
): CreditEntitlementView {
  const { overageLimit } = entitlement
  return {
    id: entitlement.creditEntitlementId,
    business_id: businessId,
    name: entitlement.name,
    description: entitlement.description,
    unit: entitlement.unit,
    precision: entitlement.precision,
    expires_after_days: entitlement.expiresAfterDays,
    rollover_enabled: entitlement.rolloverEnabled,
    rollover_percentage: entitlement.rolloverPercentage,
    rollover_timeframe_count: entitlement.rolloverTimeframeCount,
    rollover_timeframe_interval: entitlement.rolloverTimeframeInterval,
    max_rollover_count: entitlement.maxRolloverCount,
    overage_enabled: entitlement.overageEnabled,
    overage_behavior: entitlement.overageBehavior,
    overage_limit: overageLimit === null ? null : Number(overageLimit),
    price_per_unit: entitlement.pricePerUnit,
    currency: entitlement.currency,
    low_balance_threshold: entitlement.lowBalanceThreshold,
    meter_links: entitlement.meterLinks.map(meterLinkView),
    created_at: formatInstant(entitlement.createdAt),
    updated_at: formatInstant(entitlement.updatedAt),
  }
}

function meterLinkView(link: MeterLink): MeterLinkView {
  return {
    meter_id: link.meterId,
    meter_units_per_credit: link.meterUnitsPerCredit,
    free_threshold: link.freeThreshold,
  }
}
