import type { Duration, Instant } from '../../../std/instant.ts'
import { after, day, hour } from '../../../std/instant.ts'
import type { LineWorth } from '../line-worth.ts'
import type { ProrationMode } from '../proration-mode.ts'

/** A line of what a subscription is charged, in the currency's smallest unit. */
export interface BilledLine {
  /** The product, meter or credit entitlement that it is about. */
  readonly itemId: string
  readonly name: string | null
  readonly description: string | null
  readonly amount: number
  readonly tax: number
  /** Absent: it is neither of usage nor of overage, or of before this was kept. */
  readonly worth?: LineWorth
}

/** What usage has cost in the last period that was billed, in the smallest unit by meter. */
export interface BilledUsage {
  readonly start: Instant
  readonly amounts: Readonly<Record<string, number>>
}

/** The plan change that asks to be paid. [subscriptions#paying-for-a-change] */
export interface DuesChange {
  readonly mode: ProrationMode
  readonly previousProductId: string
  /** Whether it ended a trial, whose credits it then brings. [subscriptions#trials] */
  readonly inTrial: boolean
}

/** What a pause has charged, as it was before. [subscriptions#pauses] */
export interface PausedBill {
  readonly lines: readonly BilledLine[]
  /** What it takes of what was owed to the customer. */
  readonly used: number
}

/** A renewal that is to be paid. Until then the cycle has no credits. [subscriptions#renewals] */
export interface Dues {
  /** The latest attempt to be paid. */
  readonly paymentId: string
  /** Whether nobody has said yet what became of it. */
  readonly isAsked: boolean
  /** How often it was tried again. */
  readonly retries: number
  /** When an attempt failed for the first time; null: none has. */
  readonly failedAt: Instant | null
  /** When it is tried again by itself; null: it is not. */
  readonly retryAt: Instant | null
  /**
   * Balances from before the end of the cycle, as decimal text by entitlement: a low balance is
   * judged from them once it is known whether the credits come. [credits#low-balance]
   */
  readonly held: Readonly<Record<string, string>>
  /** Null: the end of a cycle asks, and no plan change. */
  readonly change: DuesChange | null
  /** With that end a scheduled plan began, of which the first news tell. Absent: none did. */
  readonly beganPlan?: true
  /** Absent: no pause asks. */
  readonly pause?: PausedBill
}

/** What was heard of the latest attempt to be paid. */
export type RenewalOutcome = 'paid' | 'failed' | 'waits'

/** What a subscription has to pay from the attempt on that its cycle's end, or a change, makes. */
export const newDues = (
  paymentId: string,
  held: Dues['held'],
  change: DuesChange | null = null,
): Dues => ({
  paymentId,
  isAsked: true,
  retries: 0,
  failedAt: null,
  retryAt: null,
  held,
  change,
})

/** The delays after one failed attempt and the next. [subscriptions#dunning] */
const delays: readonly Duration[] = [
  12 * hour,
  24 * hour,
  48 * hour,
  72 * hour,
  96 * hour,
  120 * hour,
  7 * day,
  7 * day,
]

/** No retry comes later than this after the first failure. [subscriptions#dunning] */
const retriesFor: Duration = 13 * day

/** When an attempt that failed at `at` is tried again; null: never by itself. */
export function retryAt(
  { retries, failedAt }: Pick<Dues, 'retries' | 'failedAt'>,
  at: Instant,
): Instant | null {
  const delay = delays[retries]
  if (delay === undefined) return null
  const next = after(at, delay)
  return next > after(failedAt ?? at, retriesFor) ? null : next
}

/** The dues after their attempt has failed. `canRetry`: whether asking again could help. */
export function failedDues(dues: Dues, at: Instant, canRetry: boolean): Dues {
  const next = canRetry ? retryAt(dues, at) : null
  return { ...dues, isAsked: false, failedAt: dues.failedAt ?? at, retryAt: next, held: {} }
}

/**
 * The dues while another attempt is under way. One that a caller asks for takes no place among
 * those that come by themselves.
 */
export const retriedDues = (
  dues: Dues,
  { paymentId, byItself }: Pick<Dues, 'paymentId'> & { readonly byItself: boolean },
): Dues => ({
  ...dues,
  paymentId,
  isAsked: true,
  retries: dues.retries + (byItself ? 1 : 0),
  retryAt: null,
})
