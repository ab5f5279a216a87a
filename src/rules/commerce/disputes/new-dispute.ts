import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import { after } from '../../../std/instant.ts'
import { decimalsOf } from '../../money/currency-decimals.ts'
import type { Rejection } from '../catalog/rejection.ts'
import { invalid } from '../catalog/rejection.ts'
import type { Payment } from '../payments/payment.ts'
import { chargedAmount } from '../payments/wallet-part.ts'
import type { Dispute, DisputeStage } from './dispute.ts'
import { answerWindow, opensAt } from './dispute.ts'

export interface DisputeOpening {
  readonly payment: Payment
  /** Disputes of the payment so far. */
  readonly others: readonly Dispute[]
  /** Null: all of the payment. */
  readonly amount: number | null
  readonly reason: string | null
  readonly stage: DisputeStage
  readonly at: Instant
}

/** A dispute as it opens. A second one beside an open one is allowed. [refunds#disputes] */
export function newDispute(newId: NewId, opening: DisputeOpening): Dispute | Rejection {
  const { others, payment, reason, stage } = opening
  const { paymentId, status } = payment
  // A bank gives back what it has paid; what a wallet has paid it knows nothing of.
  const charged = chargedAmount(payment)
  if (status !== 'succeeded') {
    return {
      code: 'CONFLICT',
      problem: `Payment '${paymentId}' is ${status}; only one that has succeeded can be disputed.`,
    }
  }
  if (charged === 0) {
    return {
      code: 'CONFLICT',
      problem: `Payment '${paymentId}' took no money that could be disputed.`,
    }
  }
  const amount = opening.amount ?? charged
  if (amount < 1 || amount > charged) {
    return invalid(`The amount must be from 1 to ${charged}, which is what was charged.`)
  }
  const at = opensAt(others, opening.at)
  return {
    disputeId: newId('dis'),
    paymentId,
    brandId: payment.brandId,
    customerId: payment.customerId,
    status: 'dispute_opened',
    stage,
    currency: payment.currency,
    amount,
    resolvedRapidly: false,
    reason,
    remarks: null,
    answerBy: after(at, answerWindow),
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
}

/** Thousandths of a major unit: as fine as any currency. */
const finest = 3

/**
 * The dispute given back at once, if it is small enough; null: it is not. `upTo` is in thousandths
 * of a major unit, whatever the currency; null: none is. [refunds#rapid-resolution]
 */
export function resolvedRapidly(dispute: Dispute, upTo: number | null): Dispute | null {
  if (upTo === null) return null
  const thousandths = BigInt(dispute.amount) * 10n ** BigInt(finest - decimalsOf(dispute.currency))
  if (thousandths > BigInt(upTo)) return null
  return {
    ...dispute,
    status: 'dispute_lost',
    stage: 'pre_dispute',
    resolvedRapidly: true,
    version: dispute.version + 1,
  }
}
