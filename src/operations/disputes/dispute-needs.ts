import type { Disputes } from '../../parts/store/disputes.ts'
import type { FeeNeeds } from '../balances/booked-rows.ts'

/** What opening a dispute needs, besides what a payment needs. */
export interface DisputeNeeds extends FeeNeeds {
  readonly disputes: Disputes
  /**
   * Up to what amount disputes are given back at once, in thousandths of a major unit; null: none.
   * [refunds#rapid-resolution]
   */
  readonly rapidUpTo: number | null
}
