import type { FactData, LowBalance, ToldFact } from '../rules/facts/fact.ts'
import type { PaymentTold } from '../rules/facts/payment-facts.ts'
import type { PayloadType, WebhookEventType } from '../rules/facts/webhook-event-types.ts'
import { payloadTypeOf } from '../rules/facts/webhook-event-types.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant } from '../std/instant.ts'
import type { CreditLedgerEntry } from './credit-ledger-entry.ts'
import { toCreditLedgerEntry } from './credit-ledger-entry.ts'
import type { PaymentView } from './payment.ts'
import { paymentView } from './payment.ts'

/** The body of every webhook. [webhooks#kinds] */
export interface WebhookEnvelope {
  readonly business_id: string
  readonly type: WebhookEventType
  /** The business's time of the fact, not of the attempt. [webhooks#kinds] */
  readonly timestamp: string
  readonly data: WebhookData
}

type WebhookData = (CreditLedgerEntry | CreditBalanceLow | PaymentView) & {
  readonly payload_type: PayloadType
}

/**
 * Data of `credit.balance_low`; `subscription_id` is null for default links. [webhooks#kinds,
 * credits#low-balance]
 */
export interface CreditBalanceLow {
  readonly brand_id: string
  readonly customer_id: string
  readonly payload_type: 'CreditBalanceLow'
  readonly subscription_id: string | null
  readonly threshold_amount: string
  readonly available_balance: string
  readonly threshold_percent: number
  readonly credit_entitlement_id: string
  readonly credit_entitlement_name: string
  readonly subscription_credits_amount: string
}

/** A fact as its receivers see it. */
export function webhookEnvelope(fact: {
  readonly businessId: string
  readonly at: Instant
  readonly told: ToldFact
}): WebhookEnvelope {
  return {
    business_id: fact.businessId,
    type: fact.told.type,
    timestamp: formatInstant(fact.at),
    data: dataOf(fact.businessId, fact.told),
  }
}

const dataOf = (businessId: string, told: ToldFact): WebhookData =>
  'entry' in told
    ? { ...toCreditLedgerEntry(told.entry), payload_type: payloadTypeOf(told.type) }
    : ownData(businessId, told)

const ownData = <Type extends keyof FactData>(
  businessId: string,
  fact: { readonly type: Type; readonly data: FactData[Type] },
): WebhookData => views[fact.type](fact.data, businessId)

/** A view for each type of fact that has its own data. */
const views: {
  readonly [Type in keyof FactData]: (data: FactData[Type], businessId: string) => WebhookData
} = {
  'credit.balance_low': creditBalanceLow,
  'payment.succeeded': paymentData,
  'payment.failed': paymentData,
  'payment.processing': paymentData,
  'payment.cancelled': paymentData,
}

function paymentData({ payment, customer }: PaymentTold, businessId: string): WebhookData {
  return { ...paymentView(businessId, payment, customer), payload_type: 'Payment' }
}

function creditBalanceLow(low: LowBalance): CreditBalanceLow {
  return {
    brand_id: low.brandId,
    customer_id: low.customerId,
    payload_type: 'CreditBalanceLow',
    subscription_id: low.subscriptionId,
    threshold_amount: low.thresholdAmount,
    available_balance: low.balance,
    threshold_percent: low.thresholdPercent,
    credit_entitlement_id: low.entitlementId,
    credit_entitlement_name: low.entitlementName,
    subscription_credits_amount: low.creditsAmount,
  }
}
