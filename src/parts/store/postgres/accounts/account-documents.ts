import type { Account, Charge, Grant, GrantSource } from '../../../../rules/accounts/account.ts'
import type { CartItem } from '../../../../rules/accounts/attached-credits.ts'
import { formatCredits } from '../../../../rules/accounts/credits.ts'
import type { Placement } from '../../../../rules/accounts/place.ts'
import type { OverageTerms } from '../../../../rules/accounts/terms.ts'
import { noOverage } from '../../../../rules/accounts/terms.ts'
import type {
  AccountEntitlement,
  AccountSubscription,
  AccountView,
  StoredAccount,
  UsageRow,
} from '../../../../rules/accounts/view.ts'
import type { OverageBehavior } from '../../../../rules/commerce/catalog/credit-settings.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { AggregationType, Mode } from '../../../../rules/meter/meter.ts'
import type { Positions } from '../../../../rules/meter/place.ts'
import type { TimeInterval } from '../../../../std/calendar.ts'
import type { StretchJson } from '../catalog/stretches.ts'
import { stretchesFrom } from '../catalog/stretches.ts'
import { creditsFrom, instantFrom, instantOrNull } from '../connection/values.ts'

/** What load_accounts() answers for one key (migration 0005). */
export interface AccountDocument {
  readonly business_id: string
  readonly mode: Mode
  readonly customer_id: string
  readonly entitlement_id: string
  readonly measured: Positions
  readonly clock_ahead_us: number | null
  readonly customer: object | null
  readonly account: AccountJson | null
  readonly entitlement: EntitlementJson | null
  readonly grants: readonly GrantJson[]
  readonly charged: readonly ChargeJson[]
  readonly usage: readonly UsageJson[]
  readonly subscriptions: readonly SubscriptionJson[]
  readonly unsettled: readonly number[]
}

interface AccountJson {
  readonly account_id: string
  readonly version: number
  readonly entries: number
  readonly overage: string
  readonly dropped: string
  readonly unreturned: string
  readonly base_overage: string
  readonly base_dropped: string
  readonly base_unreturned: string
  readonly dropped_closed: string
  readonly unreturned_closed: string
  readonly grants: number
  readonly overage_terms: OverageTermsJson | null
  readonly set_aside: string | null
  readonly own_cycle_at: string
  readonly last_transaction_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface OverageTermsJson {
  readonly enabled: boolean
  readonly limit: string | null
  readonly behavior: OverageBehavior
}

interface EntitlementJson {
  readonly name: string
  readonly unit: string
  readonly description: string | null
  readonly precision: number
  readonly deleted_at: string | null
  readonly expires_after_days: number | null
  readonly rollover_enabled: boolean
  readonly rollover_percentage: number | null
  readonly rollover_timeframe_count: number | null
  readonly rollover_timeframe_interval: TimeInterval | null
  readonly max_rollover_count: number | null
  readonly overage_enabled: boolean
  readonly overage_behavior: OverageBehavior
  readonly overage_limit: string | null
  readonly price_per_unit: string | null
  readonly currency: Currency | null
  readonly low_balance_threshold: string | null
  readonly stretches: readonly StretchJson[]
  readonly old_links: readonly StretchJson[]
}

interface GrantJson {
  readonly grant_id: string
  readonly number: number
  readonly source_type: GrantSource
  readonly source_id: string | null
  readonly parent_grant_id: string | null
  readonly rollover_count: number
  readonly cycle_at: string | null
  readonly initial: string
  readonly remaining: string
  readonly drawn: string
  readonly base_remaining: string
  readonly base_drawn: string
  readonly expires_at: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly created_at: string
}

interface ChargeJson {
  readonly route_id: string
  readonly meter_id: string
  readonly cycle_at: string
  readonly charged: string
  readonly base: string
}

interface UsageJson {
  readonly route_id: string
  readonly meter_id: string
  readonly cycle_at: string
  readonly segment_at: string
  readonly aggregation: AggregationType
  readonly events: number
  readonly value: string
  readonly last_at: string | null
  readonly last_received: string | null
  readonly last_event_id: string | null
}

interface SubscriptionJson {
  readonly subscription_id: string
  readonly brand_id: string
  readonly status: string
  readonly activated_at: string
  readonly ended: string | null
  readonly next_billing_date: string
  readonly expires_at: string | null
  readonly stretches: readonly StretchJson[]
  readonly credit_cart: readonly CartItem[]
  readonly metadata: Readonly<Record<string, unknown>>
}

export function viewOf(document: AccountDocument): AccountView {
  const { entitlement } = document
  return {
    key: {
      businessId: document.business_id,
      mode: document.mode,
      customerId: document.customer_id,
      entitlementId: document.entitlement_id,
    },
    measured: document.measured,
    customerExists: document.customer !== null,
    clockAhead: document.clock_ahead_us ?? 0,
    entitlement: entitlement === null ? null : entitlementOf(entitlement),
    stored: entitlement === null ? null : storedOf(document, entitlement.precision),
    usage: document.usage.map(usageOf),
    subscriptions: document.subscriptions.map(subscriptionOf),
    unsettled: document.unsettled,
  }
}

const entitlementOf = (json: EntitlementJson): AccountEntitlement => ({
  name: json.name,
  unit: json.unit,
  description: json.description,
  precision: json.precision,
  expiresAfterDays: json.expires_after_days,
  rolloverEnabled: json.rollover_enabled,
  rolloverPercentage: json.rollover_percentage,
  rolloverTimeframeCount: json.rollover_timeframe_count,
  rolloverTimeframeInterval: json.rollover_timeframe_interval,
  maxRolloverCount: json.max_rollover_count,
  overageEnabled: json.overage_enabled,
  overageBehavior: json.overage_behavior,
  overageLimit: json.overage_limit,
  pricePerUnit: json.price_per_unit,
  currency: json.currency,
  deleted: json.deleted_at !== null,
  lowBalanceThreshold: json.low_balance_threshold,
  stretches: stretchesFrom([...json.stretches, ...json.old_links]).toSorted(
    (a, b) => a.from - b.from,
  ),
})

function storedOf(document: AccountDocument, precision: number): StoredAccount | null {
  const { account: row } = document
  if (row === null) return null
  return {
    accountId: row.account_id,
    version: row.version,
    account: accountOf(row, document, precision),
    setAside: row.set_aside,
    ownCycleAt: instantFrom(row.own_cycle_at),
    createdAt: instantFrom(row.created_at),
    updatedAt: instantFrom(row.updated_at),
    lastTransactionAt: instantOrNull(row.last_transaction_at),
  }
}

function accountOf(row: AccountJson, document: AccountDocument, precision: number): Account {
  const amount = (text: string) => creditsFrom(text, precision)
  const state: Placement = {
    holdings: document.grants.map((grant) => ({
      remaining: amount(grant.remaining),
      drawn: amount(grant.drawn),
    })),
    overage: amount(row.overage),
    dropped: amount(row.dropped),
    unreturned: amount(row.unreturned),
  }
  const base: Placement = {
    holdings: document.grants.map((grant) => ({
      remaining: amount(grant.base_remaining),
      drawn: amount(grant.base_drawn),
    })),
    overage: amount(row.base_overage),
    dropped: amount(row.base_dropped),
    unreturned: amount(row.base_unreturned),
  }
  return {
    precision,
    entries: row.entries,
    grantsMade: row.grants,
    grants: document.grants.map((grant) => grantOf(grant, precision)),
    ended: [],
    base,
    state,
    overageTerms: overageFrom(row.overage_terms, precision),
    charges: document.charged.map((charge) => chargeOf(charge, precision)),
    closed: {
      dropped: amount(row.dropped_closed),
      unreturned: amount(row.unreturned_closed),
    },
  }
}

const grantOf = (json: GrantJson, precision: number): Grant => ({
  grantId: json.grant_id,
  number: json.number,
  sourceType: json.source_type,
  sourceId: json.source_id,
  parentGrantId: json.parent_grant_id,
  rolloverCount: json.rollover_count,
  initial: creditsFrom(json.initial, precision),
  cycleAt: instantOrNull(json.cycle_at),
  expiresAt: instantOrNull(json.expires_at),
  metadata: json.metadata,
  createdAt: instantFrom(json.created_at),
})

const chargeOf = (json: ChargeJson, precision: number): Charge => ({
  routeId: json.route_id,
  meterId: json.meter_id,
  cycleAt: instantFrom(json.cycle_at),
  charged: creditsFrom(json.charged, precision),
  base: creditsFrom(json.base, precision),
})

const usageOf = (json: UsageJson): UsageRow => ({
  routeId: json.route_id,
  meterId: json.meter_id,
  cycleAt: instantFrom(json.cycle_at),
  segmentAt: instantFrom(json.segment_at),
  aggregation: json.aggregation,
  events: json.events,
  value: json.value,
  lastAt: instantOrNull(json.last_at),
  lastReceived: instantOrNull(json.last_received),
  lastEventId: json.last_event_id,
})

const subscriptionOf = (json: SubscriptionJson): AccountSubscription => ({
  subscriptionId: json.subscription_id,
  brandId: json.brand_id,
  status: json.status,
  activatedAt: instantFrom(json.activated_at),
  ended: instantOrNull(json.ended),
  nextBillingDate: instantFrom(json.next_billing_date),
  expiresAt: instantOrNull(json.expires_at),
  stretches: stretchesFrom(json.stretches),
  cart: json.credit_cart,
  metadata: json.metadata,
})

function overageFrom(json: OverageTermsJson | null, precision: number): OverageTerms {
  if (json === null) return noOverage
  return {
    enabled: json.enabled,
    limit: json.limit === null ? null : creditsFrom(json.limit, precision),
    behavior: json.behavior,
  }
}

export const overageJson = (terms: OverageTerms, precision: number): OverageTermsJson => ({
  enabled: terms.enabled,
  limit: terms.limit === null ? null : formatCredits(terms.limit, precision),
  behavior: terms.behavior,
})
