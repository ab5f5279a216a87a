import assert from 'node:assert/strict'
import { limits } from '../../../limits.ts'
import { parseDecimal, powerOfTen } from '../../../std/decimal.ts'
import type { Instant } from '../../../std/instant.ts'
import type { Meter } from '../../meter/meter.ts'
import type { Link, Stretch, Usage } from '../../meter/route.ts'
import { relinked } from '../../meter/route.ts'
import { changeTime } from './change-time.ts'
import type { CreditSettings } from './credit-settings.ts'
import { settingsRejection } from './credit-settings.ts'
import { precisionRejection } from './decimals.ts'
import { metersRejection } from './meters-named.ts'
import type { Rejection } from './rejection.ts'
import { firstOf } from './rejection.ts'

/**
 * The policy of a kind of credits: unit, precision, expiry, rollover, overage.
 * [resources#credit-entitlements]
 */
export interface CreditEntitlement extends CreditSettings {
  readonly creditEntitlementId: string
  /** Unique within the business and mode, deleted ones included. [credits#deleted-entitlements] */
  readonly name: string
  readonly description: string | null
  readonly unit: string
  /** How many decimals amounts have; it never changes. */
  readonly precision: number
  /** An amount of credits; it holds for customers without a subscription. [credits#low-balance] */
  readonly lowBalanceThreshold: string | null
  /** Default links, for customers without a subscription. [meters#who-takes-the-usage] */
  readonly meterLinks: readonly MeterLink[]
  /** The default links through time, as far back as events may still be measured with them. */
  readonly stretches: readonly Stretch[]
  readonly deletedAt: Instant | null
  readonly createdAt: Instant
  /** Rises with every change, and so distinguishes one state of the entitlement from the next. */
  readonly updatedAt: Instant
}

/** A credit entitlement as a caller asks for it. */
export type WantedEntitlement = CreditSettings &
  Pick<
    CreditEntitlement,
    'name' | 'description' | 'unit' | 'precision' | 'lowBalanceThreshold' | 'meterLinks'
  >

/** The fields to change; absent fields stay as they are. */
export type EntitlementChange = Partial<Omit<WantedEntitlement, 'precision'>>

/**
 * A default link of an entitlement to a meter. `meterUnitsPerCredit` is a plain decimal above 0.
 */
export interface MeterLink {
  readonly meterId: string
  readonly meterUnitsPerCredit: string
  readonly freeThreshold: number | null
}

/** Balances and grants stay, default links end. [credits#deleted-entitlements] */
export const deletedEntitlement = (was: CreditEntitlement, at: Instant): CreditEntitlement => ({
  ...was,
  deletedAt: at,
  updatedAt: changeTime(was, at),
})

/** Everything is as it was. [credits#deleted-entitlements] */
export const undeletedEntitlement = (was: CreditEntitlement, at: Instant): CreditEntitlement => ({
  ...was,
  deletedAt: null,
  updatedAt: changeTime(was, at),
})

/** The entitlement with these default links from `at` on. Equal links change nothing. */
export function withLinks(
  entitlement: CreditEntitlement,
  meterLinks: readonly MeterLink[],
  at: Instant,
): CreditEntitlement {
  if (sameLinks(entitlement.meterLinks, meterLinks)) return entitlement
  const links = meterLinks.map((link) => defaultLink(entitlement.creditEntitlementId, link))
  return { ...entitlement, meterLinks, stretches: relinked(entitlement.stretches, links, at) }
}

const sameLinks = (a: readonly MeterLink[], b: readonly MeterLink[]): boolean =>
  a.length === b.length &&
  a.every(
    (link, index) =>
      link.meterId === b[index]?.meterId &&
      link.meterUnitsPerCredit === b[index]?.meterUnitsPerCredit &&
      link.freeThreshold === b[index]?.freeThreshold,
  )

/** A default link in the form in which measuring and settling know links. */
export function defaultLink(creditEntitlementId: string, link: MeterLink): Link {
  const unitsPerCredit = parseDecimal(link.meterUnitsPerCredit, limits.usageScale)
  assert(unitsPerCredit !== null && unitsPerCredit > 0n)
  const free = BigInt(link.freeThreshold ?? 0) * powerOfTen(limits.usageScale)
  return {
    meterId: link.meterId,
    entitlementId: creditEntitlementId,
    unitsPerCredit,
    freeThreshold: free as Usage,
    pricePerUnit: null,
  }
}

/** The links that are sent, and what they are judged by. */
export interface SentLinks {
  readonly sent: readonly MeterLink[]
  /** Those of the named meters that exist. */
  readonly meters: ReadonlyMap<string, Meter>
  /** The links until now: their meters may stay though they were archived since. */
  readonly before: readonly MeterLink[]
}

/** Why an entitlement must not become this; null: it may. */
export function entitlementRejection(
  entitlement: CreditEntitlement,
  { before, meters, sent }: SentLinks,
): Rejection | null {
  const carried = new Set(before.map(({ meterId }) => meterId))
  return firstOf([
    () => metersRejection(sent, meters, { where: 'meter_links', carried }),
    () => settingsRejection(entitlement),
    () =>
      precisionRejection(
        entitlement.lowBalanceThreshold,
        entitlement.precision,
        'low_balance_threshold',
      ),
  ])
}
