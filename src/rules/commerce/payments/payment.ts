import type { Instant } from '../../../std/instant.ts'
import type { BillingAddress } from '../billing-address.ts'
import type { CarriedAddon } from '../catalog/addon.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'
import type { Price } from '../catalog/price.ts'
import type { Currency } from '../currency.ts'
import type { CustomFieldResponse } from '../custom-field-response.ts'
import type { KeptDiscount, PaidDiscount } from '../discounts/discount.ts'
import type { DisputeStatus } from '../disputes/dispute.ts'
import type { LineWorth } from '../line-worth.ts'
import type { PaymentRefundStatus } from '../refunds/refund.ts'

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

/** What a payment pays: each brings something else. [payments#one-way-to-be-paid] */
export const paymentPurposes = [
  'purchase',
  'renewal',
  'plan_change',
  'settlement',
  'charge',
  'method_update',
] as const
export type PaymentPurpose = (typeof paymentPurposes)[number]

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
  /** Absent: the seller has said what one costs, or the price has. [payments#choices] */
  readonly buyersAmount?: BuyersAmount
  /** Overrides the trial of a product that is a subscription; null keeps it. */
  readonly trialPeriodDays: number | null
  /** Add-ons that the subscription is to carry. */
  readonly addons: readonly WantedCarriedAddon[]
  /** Amounts of credits in place of the product's own, by entitlement, as decimal text. */
  readonly credits: Readonly<Record<string, string>>
}

/**
 * What one costs where the seller leaves that to the buyer: what they say, else what is suggested,
 * else the least.
 */
export interface BuyersAmount {
  /** In the currency in which it was said: in another it says nothing. Null: nothing was said. */
  readonly said: { readonly amount: number; readonly currency: Currency } | null
}

/** Of its own quantity: that of the product does not multiply it. */
export type WantedCarriedAddon = Pick<CarriedAddon, 'addonId' | 'quantity'>

/** A line of what is paid, in the currency's smallest unit. */
export interface PaymentLine {
  /** The product or the add-on. A partial refund names its line by this id. */
  readonly itemId: string
  readonly name: string | null
  readonly description: string | null
  /** Of all units, without tax, whether that comes on top or was in the price. */
  readonly amount: number
  readonly tax: number
  /** How usage or overage came to it; absent: it is neither, or of before this was kept. */
  readonly worth?: LineWorth
}

/**
 * What a subscription that a payment starts was agreed on, whatever has become of its product since
 * somebody began to pay.
 */
export interface AgreedPlan {
  readonly price: Price
  readonly addons: readonly CarriedAddon[]
  /** Codes that lower the payments after this one. */
  readonly discounts: readonly KeptDiscount[]
  /** Whether its business charges it when it wants. [subscriptions#on-demand] */
  readonly onDemand: boolean
}

export type AbandonmentReason = 'payment_failed' | 'checkout_incomplete'

/** A session that was left, after an attempt that is told with it. */
export interface Abandonment {
  readonly at: Instant
  readonly paymentId: string
  readonly reason: AbandonmentReason
}

/** One attempt to be paid. [resources#payments] */
export interface Payment {
  readonly paymentId: string
  readonly brandId: string
  readonly customerId: string
  readonly subscriptionId: string | null
  readonly sessionId: string | null
  readonly purpose: PaymentPurpose
  /** 0: the first attempt; 1 and more: how often a renewal was tried again before. */
  readonly retryAttempt: number
  readonly status: IntentStatus
  readonly processor: ProcessorName
  readonly currency: Currency
  /** In the currency's smallest unit, with tax. */
  readonly totalAmount: number
  readonly tax: number
  readonly lines: readonly PaymentLine[]
  readonly products: readonly PurchasedProduct[]
  /** Codes that have lowered it, in the order in which they acted. */
  readonly discounts: readonly PaidDiscount[]
  /** Whether it holds a use of each until it is settled; a renewal uses none up. */
  readonly holdsUses: boolean
  /** Null: it starts no subscription. */
  readonly agreed: AgreedPlan | null
  /** The part of the total that the customer's wallet pays; the processor charges the rest. */
  readonly fromWallet: number
  readonly billing: BillingAddress
  readonly taxId: string | null
  readonly customerBusinessName: string | null
  readonly metadata: CatalogMetadata
  readonly customFields: readonly CustomFieldResponse[]
  /** What the processor charges; null: nothing was to be charged. */
  readonly token: string | null
  readonly card: CardDetails | null
  /**
   * The saved method that it charges, or that its success has saved; null: none. Who charges a
   * method that was saved before has no holder to ask.
   */
  readonly paymentMethodId: string | null
  /** Whether the holder of the card has to confirm, whatever the card says. */
  readonly forcesConfirmation: boolean
  /** Why it failed; null unless it did. */
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** The address of its page, where its maker asked for one; null: nobody did. */
  readonly paymentLink: string | null
  /** What was told of its session as left; null: nothing. [webhooks#abandoned-checkouts] */
  readonly abandoned: Abandonment | null
  /** When it succeeded; null: it has not. */
  readonly paidAt: Instant | null
  /** How much of it refunds that succeeded have given back; null: nothing. */
  readonly refundStatus: PaymentRefundStatus | null
  /** The status of the dispute that was opened last; null: there is none. */
  readonly disputeStatus: DisputeStatus | null
  /** Rises with every change. A change is written only over the version on which it was decided. */
  readonly version: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** What the processor, or the operator, says has become of a payment. */
export type ChargeOutcome =
  | { readonly status: 'succeeded' | 'processing' | 'requires_customer_action' | 'cancelled' }
  | { readonly status: 'failed'; readonly code: string; readonly message: string }

/** What a seller can say of a payment that no other processor takes. [payments#processors] */
export const markedStatuses = ['succeeded', 'failed', 'cancelled', 'processing'] as const
export type MarkedStatus = (typeof markedStatuses)[number]

/** `code`: why it has failed; null: nobody knows. */
export const markedAs = (status: MarkedStatus, code: string | null): ChargeOutcome =>
  status === 'failed'
    ? {
        status,
        code: code ?? 'GENERIC_DECLINE',
        message: 'The seller says that the payment has failed.',
      }
    : { status }

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
    paidAt: news.status === 'succeeded' ? at : null,
    version: payment.version + 1,
    updatedAt: at,
  }
}
