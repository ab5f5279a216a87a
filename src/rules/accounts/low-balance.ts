import { formatDecimal } from '../../std/decimal.ts'
import type { Credits } from './credits.ts'

/**
 * The threshold below which an account raises the alarm, and for which subscription.
 * [credits#low-balance]
 */
export interface LowBalanceWatch {
  /** Null: an entitlement's own threshold, for customers without a subscription. */
  readonly subscriptionId: string | null
  readonly creditsAmount: Credits
  /** Whole percent of `creditsAmount`; 0 with an absolute threshold. */
  readonly percent: number
  /** An absolute amount instead of the percentage. */
  readonly amount: Credits | null
}

/** Whether one transaction took the balance from at or above the threshold to below it. */
export function crossesDown(watch: LowBalanceWatch, before: Credits, now: Credits): boolean {
  const threshold = hundredths(watch)
  return before * 100n >= threshold && now * 100n < threshold
}

/**
 * The threshold in credits as plain decimal text. A percentage may need two digits more than the
 * precision.
 */
export const thresholdText = (watch: LowBalanceWatch, precision: number): string =>
  formatDecimal(hundredths(watch), precision + 2)

const hundredths = (watch: LowBalanceWatch): bigint =>
  watch.amount === null ? watch.creditsAmount * BigInt(watch.percent) : watch.amount * 100n
