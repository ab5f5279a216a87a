import type { Instant } from '../../std/instant.ts'
import type { RecordedEntry } from './recorded-entry.ts'
import type { WebhookEventType } from './webhook-event-types.ts'

/**
 * What a fact tells that stands in no ledger entry, by its type. The outbox keeps it as JSON: it
 * holds text, numbers and null. Decimals are plain text. [webhooks#kinds]
 */
export interface FactData {
  readonly 'credit.balance_low': LowBalance
}

/** A balance fell below what somebody watches. [credits#low-balance] */
export interface LowBalance {
  readonly customerId: string
  readonly entitlementId: string
  readonly entitlementName: string
  readonly brandId: string
  /** Null: an entitlement's own threshold, for customers without a subscription. */
  readonly subscriptionId: string | null
  readonly balance: string
  /** What the threshold is a part of; 0 where it is an amount of its own. */
  readonly creditsAmount: string
  readonly thresholdPercent: number
  readonly thresholdAmount: string
}

/** A fact that carries its own data. */
export type OwnFact = {
  readonly [Type in keyof FactData]: { readonly type: Type; readonly data: FactData[Type] }
}[keyof FactData]

/** What is new to the world: it tells of a ledger entry of its account, or has data of its own. */
export type BareFact =
  | { readonly type: WebhookEventType; readonly entryNumber: number; readonly data: null }
  | (OwnFact & { readonly entryNumber: null })

/** A fact on its way into the outbox. */
export type NewFact = BareFact & { readonly messageId: string; readonly at: Instant }

const ownTypes: Readonly<Record<keyof FactData, true>> = { 'credit.balance_low': true }

/** A fact out of the outbox, with what facts of its type carry; null: of no type that is known. */
export const keptFact = (type: string, data: OwnFact['data']): OwnFact | null =>
  isOwnType(type) ? ({ type, data } as OwnFact) : null

const isOwnType = (type: string): type is keyof FactData => Object.hasOwn(ownTypes, type)

/** A fact that tells of a ledger entry. */
export interface EntryFact {
  readonly type: WebhookEventType
  readonly entry: RecordedEntry
}

/** All that is told of a fact: of its entry as it stands in the ledger, or what it carries. */
export type ToldFact = OwnFact | EntryFact
