import type { Instant } from '../../../std/instant.ts'
import type { BillingAddress } from '../billing-address.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'
import type { Currency } from '../currency.ts'

/** [resources#names-of-choices] */
export const intentStatuses = [
  'succeeded',
  'failed',
  'cancelled',
  'processing',
  'requires_customer_action',
  'requires_merchant_action',
  'requires_payment_method',
  'requires_confirmation',
  'requires_capture',
  'partially_captured',
  'partially_captured_and_capturable',
] as const

export type IntentStatus = (typeof intentStatuses)[number]

/** Who moves the money: the sandbox in test mode, the operator in live mode. */
export const processorNames = ['sandbox', 'manual'] as const
export type ProcessorName = (typeof processorNames)[number]

/** What may be shown of a card; its number is in no record. */
export interface CardDetails {
  readonly network: string
  readonly lastFour: string
  /** Two digits and four. */
  readonly expiryMonth: string
  readonly expiryYear: string
  readonly holder: string | null
  readonly type: 'credit' | 'debit'
  readonly issuingCountry: string
}

/** A product that a customer buys, as the checkout was told. */
export interface PurchasedProduct {
  readonly productId: string
  readonly quantity: number
  /** What the customer pays for one, where the product lets the customer say so. */
  readonly amount: number | null
  /** Overrides the trial of a product that is a subscription; null keeps it. */
  readonly trialPeriodDays: number | null
  /** Amounts of credits in place of the product's own, by entitlement, as decimal text. */
  readonly credits: Readonly<Record<string, string>>
}

/** A line of what is paid, in the currency's smallest unit. */
export interface PaymentLine {
  /** The product. A partial refund names its line by this id. */
  readonly itemId: string
  readonly name: string | null
  readonly description: string | null
  /** Of all units, without the tax that comes on top. */
  readonly amount: number
  readonly tax: number
}

export interface CustomFieldResponse {
  readonly key: string
  readonly value: string
}

/** One attempt to be paid. [resources#payments] */
export interface Payment {
  readonly paymentId: string
  readonly brandId: string
  readonly customerId: string
  readonly subscriptionId: string | null
  readonly sessionId: string | null
  readonly status: IntentStatus
  readonly processor: ProcessorName
  readonly currency: Currency
  /** In the currency's smallest unit, with tax. */
  readonly totalAmount: number
  readonly tax: number
  readonly lines: readonly PaymentLine[]
  readonly products: readonly PurchasedProduct[]
  readonly billing: BillingAddress
  readonly taxId: string | null
  readonly customerBusinessName: string | null
  readonly metadata: CatalogMetadata
  readonly customFields: readonly CustomFieldResponse[]
  /** What the processor charges; null: nothing was to be charged. */
  readonly token: string | null
  readonly card: CardDetails | null
  /** Why it failed; null unless it did. */
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** Rises with every change. A change is written only over the version on which it was decided. */
  readonly version: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** What the processor, or the operator, says has become of a payment. */
export type ChargeOutcome =
  | { readonly status: 'succeeded' | 'processing' | 'requires_customer_action' | 'cancelled' }
  | { readonly status: 'failed'; readonly code: string; readonly message: string }

/** Nothing more becomes of these. */
const settledStatuses: readonly IntentStatus[] = ['succeeded', 'failed', 'cancelled']

export const isSettled = ({ status }: Pick<Payment, 'status'>): boolean =>
  settledStatuses.includes(status)

/**
 * The payment after this news; null: it changes nothing, because the news was told before, or is
 * older than what is known. News may come late, twice and in any order. [payments#news]
 */
export function afterNews(payment: Payment, news: ChargeOutcome, at: Instant): Payment | null {
  if (isSettled(payment) || news.status === payment.status) return null
  const failed = news.status === 'failed' ? news : null
  return {
    ...payment,
    status: news.status,
    errorCode: failed?.code ?? null,
    errorMessage: failed?.message ?? null,
    version: payment.version + 1,
    updatedAt: at,
  }
}
