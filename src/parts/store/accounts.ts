import type { CreditSettings } from '../../rules/commerce/catalog/credit-settings.ts'
import type { CartItem } from '../../rules/commerce/subscriptions/cart.ts'
import type { Account } from '../../rules/credits/account.ts'
import type { Entry } from '../../rules/credits/entry.ts'
import type { AggregationType, Mode } from '../../rules/meter/meter.ts'
import type { Positions } from '../../rules/meter/place.ts'
import type { Stretch } from '../../rules/meter/route.ts'
import type { Duration, Instant } from '../../std/instant.ts'

/** One customer under one entitlement. */
export interface AccountKey {
  readonly businessId: string
  readonly mode: Mode
  readonly customerId: string
  readonly entitlementId: string
}

/** What an entitlement says about its accounts. */
export interface AccountEntitlement extends CreditSettings {
  readonly name: string
  readonly unit: string
  readonly description: string | null
  readonly precision: number
  readonly deleted: boolean
  /** Decimal text. */
  readonly lowBalanceThreshold: string | null
  /** Default links through time. [meters#who-takes-the-usage] */
  readonly stretches: readonly Stretch[]
}

/** A subscription of the account's customer that was ever active. */
export interface AccountSubscription {
  readonly subscriptionId: string
  readonly brandId: string
  readonly status: string
  readonly activatedAt: Instant
  readonly ended: Instant | null
  /** Where its open cycle ends: later cycles are settled when this one was closed. */
  readonly nextBillingDate: Instant
  /**
   * Where the subscription ends, in the middle of a cycle too; null: nowhere.
   * [subscriptions#endings]
   */
  readonly expiresAt: Instant | null
  readonly stretches: readonly Stretch[]
  readonly cart: readonly CartItem[]
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A row of usage: one route, meter, segment and (for max and last) hour of log time. */
export interface UsageRow {
  readonly routeId: string
  readonly meterId: string
  readonly cycleAt: Instant
  readonly segmentAt: Instant
  readonly aggregation: AggregationType
  readonly events: number
  /** Decimal text. */
  readonly value: string
  readonly lastAt: Instant | null
  readonly lastReceived: Instant | null
  readonly lastEventId: string | null
}

/** Everything that deciding about an account needs, of one moment. */
export interface AccountView {
  readonly key: AccountKey
  /** What is measured at that moment: exactly what `usage` holds. */
  readonly measured: Positions
  readonly customerExists: boolean
  /** How far the business's test clock runs ahead of real time. */
  readonly clockAhead: Duration
  readonly entitlement: AccountEntitlement | null
  /** Null: nothing was ever written for it. */
  readonly stored: StoredAccount | null
  readonly usage: readonly UsageRow[]
  readonly subscriptions: readonly AccountSubscription[]
  /** Rows to delete when what they announce is settled. */
  readonly unsettled: readonly number[]
}

export interface StoredAccount {
  readonly accountId: string
  readonly version: number
  readonly account: Account
  readonly setAside: string | null
  /** Start of the calendar month that it is in by itself. [meters#who-takes-the-usage] */
  readonly ownCycleAt: Instant
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly lastTransactionAt: Instant | null
}

/** An entry on its way into the ledger. */
export interface NewEntry extends Entry {
  readonly entryId: string
  readonly brandId: string
}

/** A fact on its way into the outbox: a ledger entry's, or (data) whole. */
export interface NewFact {
  readonly messageId: string
  readonly type: string
  readonly entryNumber: number | null
  readonly data: Readonly<Record<string, unknown>> | null
  readonly at: Instant
}

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

/** Some of the accounts: those whose customer falls into one of `slots`, of `of` that there are. */
export interface Share {
  readonly slots: readonly number[]
  readonly of: number
}

export interface Accounts {
  /**
   * In the order of `keys`, each of one snapshot over all of them. `open`, which is what deciding
   * needs: without sealed usage, its charges, and subscriptions that are over.
   */
  load(keys: readonly AccountKey[], extent?: 'open' | 'whole'): Promise<readonly AccountView[]>

  /**
   * Writes each change whole (account, grants, charged, entries, facts, unsettled) if the version
   * and the business's clock still hold, in one transaction. Answers the ids of the saved; the rest
   * lost a race.
   */
  save(changes: readonly AccountChange[]): Promise<ReadonlySet<string>>

  /**
   * Accounts with unsettled usage that were not settled within the last `quietMs`, oldest first;
   * only those of `share`, unless it is null.
   */
  due(limit: number, quietMs: number, share: Share | null): Promise<readonly AccountKey[]>

  /**
   * Accounts of one entitlement with unsettled usage: the next `limit` in the order of customers.
   */
  unsettledOf(
    entitlement: Omit<AccountKey, 'customerId'>,
    behind: string,
    limit: number,
  ): Promise<readonly AccountKey[]>

  /** How many accounts have unsettled usage. */
  backlog(): Promise<number>

  /**
   * Sets an account aside whose decision failed, so that it blocks nobody; null takes it back. One
   * that was never written is written, empty, for the reason to stand somewhere.
   */
  setAside(key: AccountKey, accountId: string, reason: string | null): Promise<void>

  /** Whether this idempotency key was used on the account. */
  adjusted(accountId: string, idempotencyKey: string): Promise<boolean>
}

/** The id of the account of a key: derived, so that a balance has one before it is stored. */
export type AccountIdOf = (key: AccountKey) => string
