import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import { after } from '../../../std/instant.ts'
import { decimalsOf } from '../../money/currency-decimals.ts'
import type { Rejection } from '../catalog/rejection.ts'
import { invalid } from '../catalog/rejection.ts'
import type { GivenBack } from '../payments/given-back.ts'
import { disputable } from '../payments/given-back.ts'
import type { Payment } from '../payments/payment.ts'
import { chargedAmount } from '../payments/wallet-part.ts'
import type { Dispute, DisputeStage } from './dispute.ts'
import { answerWindow, byLatest, opensAt } from './dispute.ts'

export interface DisputeOpening {
  readonly payment: Payment
  /** What has gone back of the payment so far. */
  readonly given: Omit<GivenBack, 'disputes'> & { readonly disputes: readonly Dispute[] }
  /** Null: all that is left of what was charged. */
  readonly amount: number | null
  readonly reason: string | null
  readonly stage: DisputeStage
  readonly at: Instant
}

/**
 * A dispute as it opens. A second one beside an open one is allowed, of what refunds and the other
 * disputes leave. [refunds#disputes]
 */
export function newDispute(newId: NewId, opening: DisputeOpening): Dispute | Rejection {
  const { given, payment, reason, stage } = opening
  const { paymentId, status } = payment
  if (status !== 'succeeded') {
    return {
      code: 'CONFLICT',
      problem: `Payment '${paymentId}' is ${status}; only one that has succeeded can be disputed.`,
    }
  }
  // A bank gives back what it has paid; what a wallet has paid it knows nothing of.
  if (chargedAmount(payment) === 0) {
    return {
      code: 'CONFLICT',
      problem: `Payment '${paymentId}' took no money that could be disputed.`,
    }
  }
  const left = disputable(payment, given)
  if (left === 0) {
    return {
      code: 'CONFLICT',
      problem: `Refunds and disputes have left nothing of payment '${paymentId}'.`,
    }
  }
  const amount = opening.amount ?? left
  if (amount < 1 || amount > left) {
    return invalid(`The amount must be from 1 to ${left}, which is what is left of the charge.`)
  }
  const at = opensAt(given.disputes, opening.at)
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

/**
 * The dispute that this opens once more: it says the same, and nobody has answered it yet, or it
 * was given back at once. So an operator whose answer was lost may open it again. Null: it is
 * another one. [refunds#disputes]
 */
export function openedBefore({ amount, given, payment, reason, stage }: DisputeOpening) {
  const nothingLeft = disputable(payment, given) === 0
  const same = given.disputes.filter(
    (other) =>
      (other.resolvedRapidly || (other.status === 'dispute_opened' && other.stage === stage)) &&
      other.reason === reason &&
      (amount === null ? nothingLeft : other.amount === amount),
  )
  return same.toSorted(byLatest)[0] ?? null
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
