import type { Duration, Instant } from '../../std/instant.ts'
import type { OwnFact } from '../facts/fact.ts'
import type { WebhookEventType } from '../facts/webhook-event-types.ts'
import type { Account } from './account.ts'
import type { Entry } from './entry.ts'
import type { AccountKey } from './view.ts'

/** An entry on its way into the ledger. */
export interface NewEntry extends Entry {
  readonly entryId: string
  readonly brandId: string
}

/** What is new to the world: it tells of a ledger entry of its account, or has data of its own. */
export type BareFact =
  | { readonly type: WebhookEventType; readonly entryNumber: number; readonly data: null }
  | (OwnFact & { readonly entryNumber: null })

/** A fact on its way into the outbox. */
export type NewFact = BareFact & { readonly messageId: string; readonly at: Instant }

export interface AccountChange {
  readonly key: AccountKey
  readonly accountId: string
  /** The version that was loaded; null: the account is made. */
  readonly expected: number | null
  /** The business's clock that it was decided under. [subscriptions#the-time-of-a-command] */
  readonly clockAhead: Duration
  readonly before: Account | null
  readonly account: Account
  readonly entries: readonly NewEntry[]
  readonly facts: readonly NewFact[]
  readonly unsettled: readonly number[]
  readonly idempotencyKey: string | null
  readonly ownCycleAt: Instant
  /** Usage of a cycle that opens only now may have been measured before: settle it again. */
  readonly announce: boolean
  readonly at: Instant
}
