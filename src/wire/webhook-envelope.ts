import type { AbandonedTold } from '../rules/facts/abandoned-facts.ts'
import type { DisputeTold } from '../rules/facts/dispute-facts.ts'
import type { DunningTold } from '../rules/facts/dunning-facts.ts'
import type { FactData, LowBalance, ToldFact } from '../rules/facts/fact.ts'
import type { GrantTold } from '../rules/facts/grant-facts.ts'
import type { LicenseKeyTold } from '../rules/facts/license-facts.ts'
import type { PaymentTold } from '../rules/facts/payment-facts.ts'
import type { PayoutTold } from '../rules/facts/payout-facts.ts'
import type { RefundTold } from '../rules/facts/refund-facts.ts'
import type { SubscriptionTold } from '../rules/facts/subscription-facts.ts'
import type { PayloadType, WebhookEventType } from '../rules/facts/webhook-event-types.ts'
import { payloadTypeOf } from '../rules/facts/webhook-event-types.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant } from '../std/instant.ts'
import type { AbandonedCheckoutView } from './abandoned-checkout.ts'
import { abandonedCheckoutView } from './abandoned-checkout.ts'
import type { CreditLedgerEntry } from './credit-ledger-entry.ts'
import { toCreditLedgerEntry } from './credit-ledger-entry.ts'
import type { DisputeView } from './dispute.ts'
import { disputeView } from './dispute.ts'
import type { DunningView } from './dunning.ts'
import { dunningView } from './dunning.ts'
import type { EntitlementGrantView } from './entitlement-grant.ts'
import { entitlementGrantView } from './entitlement-grant.ts'
import type { FactLinks } from './invoice-link.ts'
import { paymentInvoiceLink } from './invoice-link.ts'
import type { LicenseKeyView } from './license-key.ts'
import { licenseKeyView } from './license-key.ts'
import type { PaymentView } from './payment.ts'
import { paymentView } from './payment.ts'
import type { PayoutView } from './payout.ts'
import { payoutView } from './payout.ts'
import type { RefundView } from './refund.ts'
import { refundView } from './refund.ts'
import type { SubscriptionView } from './subscription-view.ts'
import { toldSubscriptionView } from './subscription-view.ts'

/** The body of every webhook. [webhooks#kinds] */
export interface WebhookEnvelope {
  readonly business_id: string
  readonly type: WebhookEventType
  /** The business's time of the fact, not of the attempt. [webhooks#kinds] */
  readonly timestamp: string
  readonly data: WebhookData
}

type WebhookData = (
  | AbandonedCheckoutView
  | CreditLedgerEntry
  | CreditBalanceLow
  | DunningView
  | EntitlementGrantView
  | LicenseKeyView
  | PaymentView
  | DisputeView
  | PayoutView
  | RefundView
  | SubscriptionView
) & {
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
export function webhookEnvelope(
  fact: {
    readonly businessId: string
    readonly at: Instant
    readonly told: ToldFact
  },
  links: FactLinks,
): WebhookEnvelope {
  return {
    business_id: fact.businessId,
    type: fact.told.type,
    timestamp: formatInstant(fact.at),
    data: dataOf(fact.told, { businessId: fact.businessId, links }),
  }
}

/** Where a fact happened, and how its receivers get to what it names. */
interface Telling {
  readonly businessId: string
  readonly links: FactLinks
}

const dataOf = (told: ToldFact, telling: Telling): WebhookData =>
  'entry' in told
    ? { ...toCreditLedgerEntry(told.entry), payload_type: payloadTypeOf(told.type) }
    : ownData(told, telling)

const ownData = <Type extends keyof FactData>(
  fact: { readonly type: Type; readonly data: FactData[Type] },
  telling: Telling,
): WebhookData => views[fact.type](fact.data, telling)

/** A view for each type of fact that has its own data. */
const views: {
  readonly [Type in keyof FactData]: (data: FactData[Type], telling: Telling) => WebhookData
} = {
  'credit.balance_low': creditBalanceLow,
  'license_key.created': licenseKeyData,
  'entitlement_grant.created': grantData,
  'entitlement_grant.delivered': grantData,
  'entitlement_grant.failed': grantData,
  'entitlement_grant.revoked': grantData,
  'payment.succeeded': paymentData,
  'payment.failed': paymentData,
  'payment.processing': paymentData,
  'payment.cancelled': paymentData,
  'refund.succeeded': refundData,
  'refund.failed': refundData,
  'dispute.opened': disputeData,
  'dispute.expired': disputeData,
  'dispute.accepted': disputeData,
  'dispute.cancelled': disputeData,
  'dispute.challenged': disputeData,
  'dispute.won': disputeData,
  'dispute.lost': disputeData,
  'payout.created': payoutData,
  'payout.on_hold': payoutData,
  'payout.in_progress': payoutData,
  'payout.failed': payoutData,
  'payout.success': payoutData,
  'subscription.active': subscriptionData,
  'subscription.renewed': subscriptionData,
  'subscription.on_hold': subscriptionData,
  'subscription.paused': subscriptionData,
  'subscription.unpaused': subscriptionData,
  'subscription.cancelled': subscriptionData,
  'subscription.failed': subscriptionData,
  'subscription.expired': subscriptionData,
  'subscription.plan_changed': subscriptionData,
  'subscription.updated': subscriptionData,
  'subscription.update_payment_method': subscriptionData,
  'dunning.started': dunningData,
  'dunning.recovered': dunningData,
  'abandoned_checkout.detected': abandonedData,
  'abandoned_checkout.recovered': abandonedData,
}

function licenseKeyData({ licenseKey, at }: LicenseKeyTold, { businessId }: Telling): WebhookData {
  return { ...licenseKeyView(businessId, licenseKey, at), payload_type: 'LicenseKey' }
}

function grantData(told: GrantTold, { businessId, links }: Telling): WebhookData {
  const view = entitlementGrantView({ ...links, businessId, at: told.at }, told)
  return { ...view, payload_type: 'EntitlementGrant' }
}

function paymentData(
  { customer, hasDeliveredFiles = false, invoiceNumber, payment }: PaymentTold,
  { businessId, links }: Telling,
): WebhookData {
  const invoice = paymentInvoiceLink(links, payment, invoiceNumber ?? null)
  const beside = { customer, hasDeliveredFiles, invoice }
  return { ...paymentView(businessId, payment, beside), payload_type: 'Payment' }
}

function disputeData({ dispute, customer }: DisputeTold, { businessId }: Telling): WebhookData {
  return { ...disputeView(businessId, dispute, customer), payload_type: 'Dispute' }
}

function payoutData({ payout }: PayoutTold, { businessId, links }: Telling): WebhookData {
  return { ...payoutView(businessId, payout, links), payload_type: 'Payout' }
}

function refundData({ refund, customer }: RefundTold, { businessId }: Telling): WebhookData {
  return { ...refundView(businessId, refund, customer), payload_type: 'Refund' }
}

function subscriptionData(told: SubscriptionTold, { businessId }: Telling): WebhookData {
  return { ...toldSubscriptionView({ ...told, businessId }), payload_type: 'Subscription' }
}

function dunningData(told: DunningTold): WebhookData {
  return { ...dunningView(told), payload_type: 'DunningAttempt' }
}

function abandonedData(told: AbandonedTold): WebhookData {
  return { ...abandonedCheckoutView(told), payload_type: 'AbandonedCheckout' }
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
