import type { Instant } from '../../../std/instant.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'
import type { Currency } from '../currency.ts'

/** [resources#names-of-choices] */
export const refundStatuses = ['succeeded', 'failed', 'pending', 'review'] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** How much of a payment its refunds have given back. [refunds#what-is-left] */
export const paymentRefundStatuses = ['partial', 'full'] as const
export type PaymentRefundStatus = (typeof paymentRefundStatuses)[number]

/** What a refund gives back of one line of its payment, in the currency's smallest unit. */
export interface RefundedLine {
  readonly itemId: string
  /** With tax. */
  readonly amount: number
  /** The part of `amount` that is tax. */
  readonly tax: number
}

/** Money of a payment that goes back to the customer. [resources#refunds] */
export interface Refund {
  readonly refundId: string
  readonly paymentId: string
  readonly brandId: string
  readonly customerId: string
  /** The subscription that its payment paid. */
  readonly subscriptionId: string | null
  readonly status: RefundStatus
  readonly currency: Currency
  /** In the currency's smallest unit, with tax; above 0. */
  readonly amount: number
  /** The part of `amount` that is tax. */
  readonly tax: number
  readonly lines: readonly RefundedLine[]
  /** Gives back less than all of the payment, even where it completes what others have begun. */
  readonly isPartial: boolean
  readonly reason: string | null
  readonly metadata: CatalogMetadata
  /** A digest of what came with an `Idempotency-Key`; null: it came without. [refunds#keys] */
  readonly asked: string | null
  /** Rises with every change. A change is written only over the version on which it was decided. */
  readonly version: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** It may still become something else. */
export const isUnderWay = ({ status }: Pick<Refund, 'status'>): boolean =>
  status === 'pending' || status === 'review'

/** What a refund may become. [refunds#states] */
export type RefundOutcome = 'succeeded' | 'failed'

/**
 * The refund after somebody has said what became of it; null: that is what it is already, or
 * something else has become of it before. [refunds#states]
 */
export function refundAfter(refund: Refund, outcome: RefundOutcome, at: Instant): Refund | null {
  if (!isUnderWay(refund)) return null
  return { ...refund, status: outcome, version: refund.version + 1, updatedAt: at }
}
