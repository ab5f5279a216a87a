import type { Currency } from '../../../../rules/commerce/currency.ts'
import type {
  Dispute,
  DisputeStage,
  DisputeStatus,
} from '../../../../rules/commerce/disputes/dispute.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A dispute as the database has it. */
export interface DisputeRow {
  readonly dispute_id: string
  readonly payment_id: string
  readonly brand_id: string
  readonly customer_id: string
  readonly status: DisputeStatus
  readonly stage: DisputeStage
  readonly currency: Currency
  readonly amount: number
  readonly resolved_rapidly: boolean
  readonly reason: string | null
  readonly remarks: string | null
  readonly answer_by: Instant
  readonly version: number
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const disputeColumns = sql`
  dispute_id, payment_id, brand_id, customer_id, status, stage, currency, amount, resolved_rapidly,
  reason, remarks, answer_by, version, created_at, updated_at`

export const disputeOf = (row: DisputeRow): Dispute => ({
  disputeId: row.dispute_id,
  paymentId: row.payment_id,
  brandId: row.brand_id,
  customerId: row.customer_id,
  status: row.status,
  stage: row.stage,
  currency: row.currency,
  amount: row.amount,
  resolvedRapidly: row.resolved_rapidly,
  reason: row.reason,
  remarks: row.remarks,
  answerBy: row.answer_by,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_disputes() takes it. */
export const disputeRow = (scope: Scope, dispute: Dispute): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  dispute_id: dispute.disputeId,
  payment_id: dispute.paymentId,
  brand_id: dispute.brandId,
  customer_id: dispute.customerId,
  status: dispute.status,
  stage: dispute.stage,
  currency: dispute.currency,
  amount: dispute.amount,
  resolved_rapidly: dispute.resolvedRapidly,
  reason: dispute.reason,
  remarks: dispute.remarks,
  answer_by: timestamptz(dispute.answerBy),
  version: dispute.version,
  created_at: timestamptz(dispute.createdAt),
  updated_at: timestamptz(dispute.updatedAt),
})
