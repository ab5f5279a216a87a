import type { BillingAddress } from '../../../../rules/commerce/billing-address.ts'
import type { CatalogMetadata } from '../../../../rules/commerce/catalog/metadata.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { DisputeStatus } from '../../../../rules/commerce/disputes/dispute.ts'
import type {
  Abandonment,
  AgreedPlan,
  IntentStatus,
  Payment,
} from '../../../../rules/commerce/payments/payment.ts'
import type { PaymentRefundStatus } from '../../../../rules/commerce/refunds/refund.ts'
import type { Instant } from '../../../../std/instant.ts'
import { formatInstant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import type { KeptDiscountJson, PaidDiscountJson } from '../catalog/kept-discount-json.ts'
import {
  keptDiscountFrom,
  keptDiscountJson,
  paidDiscountFrom,
  paidDiscountJson,
} from '../catalog/kept-discount-json.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { instantFrom } from '../connection/values.ts'
import type { PurchasedProductJson } from './purchased-product-json.ts'
import { purchasedProductFrom } from './purchased-product-json.ts'

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
  readonly document: StoredDocument
  readonly paid_at: Instant | null
  readonly refund_status: PaymentRefundStatus | null
  readonly dispute_status: DisputeStatus | null
  readonly version: number
  readonly created_at: Instant
  readonly updated_at: Instant
}

type PaymentDocument = Pick<
  Payment,
  | 'processor'
  | 'purpose'
  | 'retryAttempt'
  | 'paymentMethodId'
  | 'forcesConfirmation'
  | 'lines'
  | 'taxId'
  | 'customerBusinessName'
  | 'customFields'
  | 'token'
  | 'card'
  | 'errorCode'
  | 'errorMessage'
  | 'paymentLink'
> & {
  readonly products: readonly PurchasedProductJson[]
  /** Absent in rows that were written before there were any. */
  readonly discounts?: readonly PaidDiscountJson[]
  readonly agreed?: AgreedPlanJson | null
  readonly abandoned?: StoredAbandonment | null
  readonly fromWallet?: number
  readonly holdsUses?: boolean
}

type AgreedPlanJson = Omit<AgreedPlan, 'discounts' | 'onDemand'> & {
  readonly discounts: readonly KeptDiscountJson[]
  /** Absent in rows that were written before there were such subscriptions. */
  readonly onDemand?: boolean
}

type Later = 'purpose' | 'retryAttempt' | 'paymentMethodId' | 'paymentLink' | 'forcesConfirmation'

/** Rows of earlier releases lack what came later. */
type StoredDocument = Omit<PaymentDocument, Later> & Partial<Pick<PaymentDocument, Later>>

export const paymentColumns = sql`
  payment_id, brand_id, customer_id, subscription_id, session_id, status, currency, total_amount,
  tax, billing, metadata, document, paid_at, refund_status,
  dispute_status, version, created_at, updated_at`

export const paymentOf = (row: PaymentRow): Payment => ({
  paymentLink: null,
  purpose: 'purchase',
  retryAttempt: 0,
  paymentMethodId: null,
  forcesConfirmation: false,
  ...row.document,
  products: row.document.products.map(purchasedProductFrom),
  discounts: (row.document.discounts ?? []).map(paidDiscountFrom),
  agreed: agreedFrom(row.document.agreed ?? null),
  abandoned: abandonedFrom(row.document.abandoned ?? null),
  fromWallet: row.document.fromWallet ?? 0,
  holdsUses: row.document.holdsUses ?? false,
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
  paidAt: row.paid_at,
  refundStatus: row.refund_status,
  disputeStatus: row.dispute_status,
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
  paid_at: timestamptz(payment.paidAt),
  refund_status: payment.refundStatus,
  dispute_status: payment.disputeStatus,
  version: payment.version,
  created_at: timestamptz(payment.createdAt),
  updated_at: timestamptz(payment.updatedAt),
})

const documentOf = (payment: Payment): PaymentDocument => ({
  processor: payment.processor,
  purpose: payment.purpose,
  retryAttempt: payment.retryAttempt,
  paymentMethodId: payment.paymentMethodId,
  forcesConfirmation: payment.forcesConfirmation,
  lines: payment.lines,
  products: payment.products,
  discounts: payment.discounts.map(paidDiscountJson),
  agreed: agreedJson(payment.agreed),
  abandoned: abandonedJson(payment.abandoned),
  fromWallet: payment.fromWallet,
  holdsUses: payment.holdsUses,
  taxId: payment.taxId,
  customerBusinessName: payment.customerBusinessName,
  customFields: payment.customFields,
  token: payment.token,
  card: payment.card,
  errorCode: payment.errorCode,
  errorMessage: payment.errorMessage,
  paymentLink: payment.paymentLink,
})

type StoredAbandonment = Omit<Abandonment, 'at'> & { readonly at: string }

const abandonedFrom = (stored: StoredAbandonment | null): Abandonment | null =>
  stored === null ? null : { ...stored, at: instantFrom(stored.at) }

const abandonedJson = (left: Abandonment | null): StoredAbandonment | null =>
  left === null ? null : { ...left, at: formatInstant(left.at) }

const agreedFrom = (agreed: AgreedPlanJson | null): AgreedPlan | null =>
  agreed === null
    ? null
    : { onDemand: false, ...agreed, discounts: agreed.discounts.map(keptDiscountFrom) }

const agreedJson = (agreed: AgreedPlan | null): AgreedPlanJson | null =>
  agreed === null ? null : { ...agreed, discounts: agreed.discounts.map(keptDiscountJson) }
