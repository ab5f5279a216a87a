import type { Instant } from '../../std/instant.ts'
import type { AbandonedFactType, AbandonedTold } from './abandoned-facts.ts'
import type { DisputeFactType, DisputeTold } from './dispute-facts.ts'
import type { DunningFactType, DunningTold } from './dunning-facts.ts'
import type { GrantFactType, GrantTold } from './grant-facts.ts'
import type { LicenseKeyTold } from './license-facts.ts'
import type { PaymentFactType, PaymentTold } from './payment-facts.ts'
import type { PayoutFactType, PayoutTold } from './payout-facts.ts'
import type { RecordedEntry } from './recorded-entry.ts'
import type { RefundFactType, RefundTold } from './refund-facts.ts'
import type { SubscriptionFactType, SubscriptionTold } from './subscription-facts.ts'
import type { WebhookEventType } from './webhook-event-types.ts'

/**
 * What facts that stand in no ledger entry tell, by their type. The outbox stores it as JSON:
 * texts, numbers and null. Decimals are plain text. [webhooks#kinds]
 */
export interface FactData
  extends Readonly<Record<PaymentFactType, PaymentTold>>,
    Readonly<Record<RefundFactType, RefundTold>>,
    Readonly<Record<DisputeFactType, DisputeTold>>,
    Readonly<Record<PayoutFactType, PayoutTold>>,
    Readonly<Record<DunningFactType, DunningTold>>,
    Readonly<Record<AbandonedFactType, AbandonedTold>>,
    Readonly<Record<SubscriptionFactType, SubscriptionTold>>,
    Readonly<Record<GrantFactType, GrantTold>> {
  readonly 'credit.balance_low': LowBalance
  readonly 'license_key.created': LicenseKeyTold
}

/** A balance fell below a threshold. [credits#low-balance] */
export interface LowBalance {
  readonly customerId: string
  readonly entitlementId: string
  readonly entitlementName: string
  readonly brandId: string
  /** Null: an entitlement's own threshold, for customers without a subscription. */
  readonly subscriptionId: string | null
  readonly balance: string
  /** The amount that the threshold is a percentage of; 0 where it is an amount itself. */
  readonly creditsAmount: string
  readonly thresholdPercent: number
  readonly thresholdAmount: string
}

/** A fact that carries its own data. */
export type OwnFact = {
  readonly [Type in keyof FactData]: { readonly type: Type; readonly data: FactData[Type] }
}[keyof FactData]

/**
 * A fact without its id: it either tells of a ledger entry of its account, or has data of its own.
 */
export type BareFact =
  | { readonly type: WebhookEventType; readonly entryNumber: number; readonly data: null }
  | (OwnFact & { readonly entryNumber: null })

/** A fact that is about to be written into the outbox. */
export type NewFact = BareFact & { readonly messageId: string; readonly at: Instant }

const ownTypes: Readonly<Record<keyof FactData, true>> = {
  'credit.balance_low': true,
  'license_key.created': true,
  'entitlement_grant.created': true,
  'entitlement_grant.delivered': true,
  'entitlement_grant.failed': true,
  'entitlement_grant.revoked': true,
  'payment.succeeded': true,
  'payment.failed': true,
  'payment.processing': true,
  'payment.cancelled': true,
  'refund.succeeded': true,
  'refund.failed': true,
  'dispute.opened': true,
  'dispute.expired': true,
  'dispute.accepted': true,
  'dispute.cancelled': true,
  'dispute.challenged': true,
  'dispute.won': true,
  'dispute.lost': true,
  'payout.created': true,
  'payout.on_hold': true,
  'payout.in_progress': true,
  'payout.failed': true,
  'payout.success': true,
  'subscription.active': true,
  'subscription.renewed': true,
  'subscription.on_hold': true,
  'subscription.paused': true,
  'subscription.unpaused': true,
  'subscription.cancelled': true,
  'subscription.failed': true,
  'subscription.expired': true,
  'subscription.plan_changed': true,
  'subscription.updated': true,
  'subscription.update_payment_method': true,
  'dunning.started': true,
  'dunning.recovered': true,
  'abandoned_checkout.detected': true,
  'abandoned_checkout.recovered': true,
}

/** A fact from the outbox, with the data that facts of its type have; null: its type is unknown. */
export const keptFact = (type: string, data: OwnFact['data']): OwnFact | null =>
  isOwnType(type) ? ({ type, data } as OwnFact) : null

const isOwnType = (type: string): type is keyof FactData => Object.hasOwn(ownTypes, type)

/** A fact that tells of a ledger entry. */
export interface EntryFact {
  readonly type: WebhookEventType
  readonly entry: RecordedEntry
}

/** A fact with everything that it tells: the ledger entry as it stands, or its own data. */
export type ToldFact = OwnFact | EntryFact
