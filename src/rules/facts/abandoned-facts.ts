import type { Instant } from '../../std/instant.ts'
import type { AbandonmentReason } from '../commerce/payments/payment.ts'

/** A checkout that somebody left, and whether they came back. [webhooks#abandoned-checkouts] */
export interface AbandonedTold {
  readonly customerId: string
  readonly brandId: string
  /** The attempt after which it was left. */
  readonly paymentId: string
  readonly reason: AbandonmentReason
  readonly abandonedAt: Instant
  readonly status: 'abandoned' | 'recovered'
  /** Null: nobody has paid yet. */
  readonly recoveredPaymentId: string | null
}

export type AbandonedFactType = 'abandoned_checkout.detected' | 'abandoned_checkout.recovered'

export interface AbandonedFact {
  readonly type: AbandonedFactType
  readonly data: AbandonedTold
}
