import type { DisputeStage, DisputeStatus } from '../rules/commerce/disputes/dispute.ts'
import { disputeStages, disputeStatuses } from '../rules/commerce/disputes/dispute.ts'
import type { ChargeOutcome, MarkedStatus } from '../rules/commerce/payments/payment.ts'
import { markedAs, markedStatuses } from '../rules/commerce/payments/payment.ts'
import type { RefundOutcome } from '../rules/commerce/refunds/refund.ts'
import { schema } from '../std/schema.ts'
import { nullable, oneOf, text, whole } from './schemas.ts'

// What owners say in the console of what happens elsewhere: no part of the API's description.

interface PaymentMark {
  readonly status: MarkedStatus
  readonly reason?: string | null
}

export const paymentMark = schema<PaymentMark>({
  type: 'object',
  required: ['status'],
  properties: {
    status: oneOf(markedStatuses),
    reason: {
      type: ['string', 'null'],
      pattern: '^[A-Z][A-Z_]{1,63}$',
      description: 'a code such as INSUFFICIENT_FUNDS',
    },
  },
})

export const markedOutcome = ({ status, reason }: PaymentMark): ChargeOutcome =>
  markedAs(status, reason ?? null)

export const refundMark = schema<{ readonly status: RefundOutcome }>({
  type: 'object',
  required: ['status'],
  properties: { status: oneOf(['succeeded', 'failed']) },
})

interface DisputeOpenBody {
  readonly amount?: number | null
  readonly reason?: string | null
  readonly dispute_stage?: DisputeStage | null
}

const longText = nullable(text(1, 3_000))

export const disputeOpen = schema<DisputeOpenBody>({
  type: 'object',
  properties: {
    amount: nullable(whole(1, Number.MAX_SAFE_INTEGER)),
    reason: longText,
    dispute_stage: nullable(oneOf(disputeStages)),
  },
})

/** What a bank asks back, of which payment is known. */
export const openedDisputeOf = ({ amount, dispute_stage, reason }: DisputeOpenBody) => ({
  amount: amount ?? null,
  reason: reason ?? null,
  stage: dispute_stage ?? ('dispute' as const),
})

interface DisputeMoveBody {
  readonly dispute_status: DisputeStatus
  readonly remarks?: string | null
}

export const disputeMove = schema<DisputeMoveBody>({
  type: 'object',
  required: ['dispute_status'],
  properties: { dispute_status: oneOf(disputeStatuses), remarks: longText },
})

export const disputeMoveOf = ({ dispute_status, remarks }: DisputeMoveBody) => ({
  status: dispute_status,
  remarks: remarks ?? null,
})
