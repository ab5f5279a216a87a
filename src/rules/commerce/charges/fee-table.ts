import type { Money } from '../../money/money.ts'
import { percentOf } from '../../money/proration.ts'
import type { Currency } from '../currency.ts'

export const feeKinds = ['payment', 'refund', 'dispute', 'payout'] as const
export type FeeKind = (typeof feeKinds)[number]

/** What the operator takes from a business for something. [resources#fees] */
export interface FeeRow {
  readonly kind: FeeKind
  /** Null: every currency that no other row names. */
  readonly currency: Currency | null
  readonly basisPoints: number
  /** In the currency's smallest unit, besides. */
  readonly fixed: number
}

/** The fee for an amount of money; none without a row. [resources#fees] */
export function feeOf(
  table: readonly FeeRow[],
  kind: FeeKind,
  { amount, currency }: Money,
): number {
  const fitting = table.filter((row) => row.kind === kind)
  const row =
    fitting.find((each) => each.currency === currency) ??
    fitting.find((each) => each.currency === null)
  return row === undefined ? 0 : percentOf(amount, row.basisPoints) + row.fixed
}
