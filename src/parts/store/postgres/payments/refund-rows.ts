import type { CatalogMetadata } from '../../../../rules/commerce/catalog/metadata.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type {
  Refund,
  RefundedLine,
  RefundStatus,
} from '../../../../rules/commerce/refunds/refund.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A refund as the database has it. */
export interface RefundRow {
  readonly refund_id: string
  readonly payment_id: string
  readonly brand_id: string
  readonly customer_id: string
  readonly subscription_id: string | null
  readonly status: RefundStatus
  readonly currency: Currency
  readonly amount: number
  readonly tax: number
  readonly lines: readonly RefundedLine[]
  readonly is_partial: boolean
  readonly reason: string | null
  readonly metadata: CatalogMetadata
  readonly asked: string | null
  readonly version: number
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const refundColumns = sql`
  refund_id, payment_id, brand_id, customer_id, subscription_id, status, currency, amount, tax,
  lines, is_partial, reason, metadata, asked, version, created_at, updated_at`

export const refundOf = (row: RefundRow): Refund => ({
  refundId: row.refund_id,
  paymentId: row.payment_id,
  brandId: row.brand_id,
  customerId: row.customer_id,
  subscriptionId: row.subscription_id,
  status: row.status,
  currency: row.currency,
  amount: row.amount,
  tax: row.tax,
  lines: row.lines,
  isPartial: row.is_partial,
  reason: row.reason,
  metadata: row.metadata,
  asked: row.asked,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_refunds() takes it. */
export const refundRow = (scope: Scope, refund: Refund): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  refund_id: refund.refundId,
  payment_id: refund.paymentId,
  brand_id: refund.brandId,
  customer_id: refund.customerId,
  subscription_id: refund.subscriptionId,
  status: refund.status,
  currency: refund.currency,
  amount: refund.amount,
  tax: refund.tax,
  lines: refund.lines,
  is_partial: refund.isPartial,
  reason: refund.reason,
  metadata: refund.metadata,
  asked: refund.asked,
  version: refund.version,
  created_at: timestamptz(refund.createdAt),
  updated_at: timestamptz(refund.updatedAt),
})
