import type { Duration, Instant } from '../../std/instant.ts'
import type { BillingDates } from '../commerce/billing-dates.ts'
import type { CreditSettings } from '../commerce/catalog/credit-settings.ts'
import type { AggregationType, Mode } from '../meter/meter.ts'
import type { Positions } from '../meter/place.ts'
import type { Stretch } from '../meter/route.ts'
import type { Account } from './account.ts'
import type { CartItem } from './attached-credits.ts'

/** One customer under one entitlement. */
export interface AccountKey {
  readonly businessId: string
  readonly mode: Mode
  readonly customerId: string
  readonly entitlementId: string
}

/** The id of the account of a key. It is derived, so that a balance has one before it is stored. */
export type AccountIdOf = (key: AccountKey) => string

/** What an entitlement says about its accounts. */
export interface AccountEntitlement extends CreditSettings {
  readonly name: string
  readonly unit: string
  readonly description: string | null
  readonly precision: number
  readonly deleted: boolean
  /** Decimal text. */
  readonly lowBalanceThreshold: string | null
  /** The default links, through time. [meters#who-takes-the-usage] */
  readonly stretches: readonly Stretch[]
}

/** A subscription of the account's customer that was ever active. */
export interface AccountSubscription extends BillingDates {
  readonly subscriptionId: string
  readonly brandId: string
  readonly status: string
  readonly activatedAt: Instant
  readonly ended: Instant | null
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

/** Everything that deciding about an account needs, as of one moment. */
export interface AccountView {
  readonly key: AccountKey
  /** What was measured at that moment: exactly what `usage` holds. */
  readonly measured: Positions
  readonly customerExists: boolean
  /** How far the business's test clock runs ahead of real time. */
  readonly clockAhead: Duration
  readonly entitlement: AccountEntitlement | null
  /** Null: nothing was ever written for the account. */
  readonly stored: StoredAccount | null
  readonly usage: readonly UsageRow[]
  readonly subscriptions: readonly AccountSubscription[]
  /** Ids of the rows in `unsettled` that are deleted once the account is settled. */
  readonly unsettled: readonly number[]
}

export interface StoredAccount {
  readonly accountId: string
  readonly version: number
  /** A number that was drawn when this was written: no other write has it. */
  readonly stamp: number
  readonly account: Account
  readonly setAside: string | null
  /** Start of the calendar month that the account is in by itself. [meters#who-takes-the-usage] */
  readonly ownCycleAt: Instant
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly lastTransactionAt: Instant | null
}
