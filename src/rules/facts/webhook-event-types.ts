/**
 * Every type of fact that can be told, with the name for the shape of its data. [webhooks#kinds]
 */
const payloads = {
  'payment.succeeded': 'Payment',
  'payment.failed': 'Payment',
  'payment.processing': 'Payment',
  'payment.cancelled': 'Payment',
  'refund.succeeded': 'Refund',
  'refund.failed': 'Refund',
  'dispute.opened': 'Dispute',
  'dispute.expired': 'Dispute',
  'dispute.accepted': 'Dispute',
  'dispute.cancelled': 'Dispute',
  'dispute.challenged': 'Dispute',
  'dispute.won': 'Dispute',
  'dispute.lost': 'Dispute',
  'subscription.active': 'Subscription',
  'subscription.renewed': 'Subscription',
  'subscription.on_hold': 'Subscription',
  'subscription.paused': 'Subscription',
  'subscription.unpaused': 'Subscription',
  'subscription.cancelled': 'Subscription',
  'subscription.failed': 'Subscription',
  'subscription.expired': 'Subscription',
  'subscription.plan_changed': 'Subscription',
  'subscription.updated': 'Subscription',
  'subscription.update_payment_method': 'Subscription',
  'license_key.created': 'LicenseKey',
  'payout.created': 'Payout',
  'payout.on_hold': 'Payout',
  'payout.in_progress': 'Payout',
  'payout.failed': 'Payout',
  'payout.success': 'Payout',
  'credit.added': 'CreditLedgerEntry',
  'credit.deducted': 'CreditLedgerEntry',
  'credit.expired': 'CreditLedgerEntry',
  'credit.rolled_over': 'CreditLedgerEntry',
  'credit.rollover_forfeited': 'CreditLedgerEntry',
  'credit.overage_charged': 'CreditLedgerEntry',
  'credit.overage_reset': 'CreditLedgerEntry',
  'credit.manual_adjustment': 'CreditLedgerEntry',
  'credit.balance_low': 'CreditBalanceLow',
  'abandoned_checkout.detected': 'AbandonedCheckout',
  'abandoned_checkout.recovered': 'AbandonedCheckout',
  'dunning.started': 'DunningAttempt',
  'dunning.recovered': 'DunningAttempt',
  'entitlement_grant.created': 'EntitlementGrant',
  'entitlement_grant.delivered': 'EntitlementGrant',
  'entitlement_grant.failed': 'EntitlementGrant',
  'entitlement_grant.revoked': 'EntitlementGrant',
} as const

export type WebhookEventType = keyof typeof payloads
export type PayloadType = (typeof payloads)[WebhookEventType]

export const webhookEventTypes: readonly WebhookEventType[] =
  Object.keys(payloads).filter(isWebhookEventType)

export function isWebhookEventType(text: string): text is WebhookEventType {
  return Object.hasOwn(payloads, text)
}

/** What `data.payload_type` says of a fact of this type. */
export const payloadTypeOf = (type: WebhookEventType): PayloadType => payloads[type]
