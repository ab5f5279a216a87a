import type { BillingAddress } from '../../../../rules/commerce/billing-address.ts'
import type { CatalogMetadata } from '../../../../rules/commerce/catalog/metadata.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { IntentStatus, Payment } from '../../../../rules/commerce/payments/payment.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A payment as the database has it; `document` is what no statement looks into. */
export interface PaymentRow {
  readonly payment_id: string
  readonly brand_id: string
  readonly customer_id: string
  readonly subscription_id: string | null
  readonly session_id: string | null
  readonly status: IntentStatus
  readonly currency: Currency
  readonly total_amount: number
  readonly tax: number
  readonly billing: BillingAddress
  readonly metadata: CatalogMetadata
  readonly document: PaymentDocument
  readonly version: number
  readonly created_at: Instant
  readonly updated_at: Instant
}

type PaymentDocument = Pick<
  Payment,
  | 'processor'
  | 'lines'
  | 'products'
  | 'taxId'
  | 'customerBusinessName'
  | 'customFields'
  | 'token'
  | 'card'
  | 'errorCode'
  | 'errorMessage'
>

export const paymentColumns = sql`
  payment_id, brand_id, customer_id, subscription_id, session_id, status, currency, total_amount,
  tax, billing, metadata, document, version, created_at, updated_at`

export const paymentOf = (row: PaymentRow): Payment => ({
  ...row.document,
  paymentId: row.payment_id,
  brandId: row.brand_id,
  customerId: row.customer_id,
  subscriptionId: row.subscription_id,
  sessionId: row.session_id,
  status: row.status,
  currency: row.currency,
  totalAmount: row.total_amount,
  tax: row.tax,
  billing: row.billing,
  metadata: row.metadata,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_payments() takes it. */
export const paymentRow = (scope: Scope, payment: Payment): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  payment_id: payment.paymentId,
  brand_id: payment.brandId,
  customer_id: payment.customerId,
  subscription_id: payment.subscriptionId,
  session_id: payment.sessionId,
  status: payment.status,
  currency: payment.currency,
  total_amount: payment.totalAmount,
  tax: payment.tax,
  product_ids: payment.products.map(({ productId }) => productId),
  billing: payment.billing,
  metadata: payment.metadata,
  document: documentOf(payment),
  version: payment.version,
  created_at: timestamptz(payment.createdAt),
  updated_at: timestamptz(payment.updatedAt),
})

const documentOf = (payment: Payment): PaymentDocument => ({
  processor: payment.processor,
  lines: payment.lines,
  products: payment.products,
  taxId: payment.taxId,
  customerBusinessName: payment.customerBusinessName,
  customFields: payment.customFields,
  token: payment.token,
  card: payment.card,
  errorCode: payment.errorCode,
  errorMessage: payment.errorMessage,
})
