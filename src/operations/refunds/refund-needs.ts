import type { Refunds } from '../../parts/store/refunds.ts'
import type { Duration } from '../../std/instant.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'

/** What refunds need. */
export interface RefundNeeds extends DueFirstNeeds {
  readonly refunds: Refunds
  /** For how long after it was paid a payment can be refunded; absent: the limits say. */
  readonly refundWindow?: Duration
}
