import type { Instant } from '../../std/instant.ts'
import { earlierOf } from '../../std/instant.ts'

export interface BillingDates {
  /** The end of the open cycle. Later cycles are settled after this one was closed. */
  readonly nextBillingDate: Instant
  /**
   * When the subscription ends, which may be in the middle of a cycle; null: it has no end.
   * [subscriptions#endings]
   */
  readonly expiresAt: Instant | null
}

/**
 * When a subscription's open cycle ends, or the subscription itself in the middle of it.
 * [subscriptions#endings]
 */
export const endOf = ({ nextBillingDate, expiresAt }: BillingDates): Instant =>
  expiresAt === null ? nextBillingDate : earlierOf(nextBillingDate, expiresAt)
