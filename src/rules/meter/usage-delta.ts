import type { Instant } from '../../std/instant.ts'
import type { Fold } from './fold.ts'
import { compareText } from './fold.ts'
import type { AggregationType, Mode } from './meter.ts'

/** What a batch adds to one row of `usage`. `entitlementId` null: worth money only. */
export interface UsageDelta {
  readonly businessId: string
  readonly mode: Mode
  readonly customerId: string
  readonly routeId: string
  readonly entitlementId: string | null
  readonly meterId: string
  readonly cycleAt: Instant
  readonly segmentAt: Instant
  /**
   * 0 for count and sum. For max and last the hour of log time, so that a void needs to fold only
   * that hour again.
   */
  readonly logHour: number
  readonly aggregation: AggregationType
  readonly fold: Fold
}

/** The row that a delta goes to. */
export type UsageKey = Omit<UsageDelta, 'aggregation' | 'fold' | 'cycleAt'>

/**
 * One order everywhere, so that two commits never wait for each other's rows. [machines#writers]
 */
export const compareUsage = (a: UsageKey, b: UsageKey): number =>
  compareText(a.customerId, b.customerId) ||
  compareText(a.routeId, b.routeId) ||
  compareText(a.meterId, b.meterId) ||
  compareText(a.entitlementId ?? '', b.entitlementId ?? '') ||
  a.segmentAt - b.segmentAt ||
  a.logHour - b.logHour ||
  compareText(a.businessId, b.businessId) ||
  compareText(a.mode, b.mode)
