import type { Instant } from '../../../std/instant.ts'
import { laterOf } from '../../../std/instant.ts'
import type { Currency } from '../currency.ts'

/** [resources#names-of-choices] */
export const payoutStatuses = [
  'not_initiated',
  'in_progress',
  'on_hold',
  'failed',
  'success',
] as const
export type PayoutStatus = (typeof payoutStatuses)[number]

/** Money that goes to the business: what stands in its ledger and was not paid out. */
export interface Payout {
  readonly payoutId: string
  readonly status: PayoutStatus
  /** Who is paid: the business, as it was called then. */
  readonly name: string
  readonly currency: Currency
  /** In the currency's smallest unit, without its fee; above 0. */
  readonly amount: number
  /** What the operator takes for the payout itself. */
  readonly fee: number
  /** Refunds and disputes in it, less what came back of them. */
  readonly refunds: number
  readonly chargebacks: number
  /**
   * Numbers of the ledger entries that it pays, both ends included: its fee is the last one, where
   * there is one, and its own entry comes behind them.
   */
  readonly fromEntry: number
  readonly toEntry: number
  /** What the operator says of it. */
  readonly remarks: string | null
  /** Rises with every change. A change is written only over the version on which it was decided. */
  readonly version: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** What an operator may say of a payout. */
export const payoutMarks = ['in_progress', 'success', 'failed', 'on_hold'] as const
export type PayoutMark = (typeof payoutMarks)[number]

/** Nothing more becomes of these. */
const isOver = (status: PayoutStatus): boolean => status === 'failed' || status === 'success'

/**
 * The payout after the operator has said what became of it; null: it is so already, or something
 * else has become of it for good. [payouts#states]
 */
export function markedPayout(
  payout: Payout,
  to: { readonly status: PayoutMark; readonly remarks: string | null; readonly at: Instant },
): Payout | null {
  if (isOver(payout.status) || payout.status === to.status) return null
  return {
    ...payout,
    status: to.status,
    remarks: to.remarks ?? payout.remarks,
    version: payout.version + 1,
    updatedAt: laterOf(to.at, payout.updatedAt),
  }
}

/** The entries that a payout pays. */
export const entriesPaidBy = ({ currency, fromEntry: from, toEntry: to }: Payout) => ({
  currency,
  from,
  to,
})
