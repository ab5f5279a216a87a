import type { Instant } from '../../std/instant.ts'
import { earlierOf } from '../../std/instant.ts'

export interface BillingDates {
  /** Where the open cycle ends: later cycles are settled when this one was closed. */
  readonly nextBillingDate: Instant
  /**
   * Where the subscription ends, in the middle of a cycle too; null: nowhere.
   * [subscriptions#endings]
   */
  readonly expiresAt: Instant | null
}

/**
 * When a subscription's open cycle ends, or the subscription in the middle of it.
 * [subscriptions#endings]
 */
export const endOf = ({ nextBillingDate, expiresAt }: BillingDates): Instant =>
  expiresAt === null ? nextBillingDate : earlierOf(nextBillingDate, expiresAt)
