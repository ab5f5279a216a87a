import type {
  AccountEntitlement,
  AccountSubscription,
  AccountView,
  UsageRow,
} from '../../../../rules/accounts/view.ts'
import type { AggregationType, Mode } from '../../../../rules/meter/meter.ts'
import type { Positions } from '../../../../rules/meter/place.ts'
import type { CartItemJson } from '../catalog/cart-json.ts'
import { cartFrom } from '../catalog/cart-json.ts'
import type { EntitlementSettings } from '../catalog/credit-entitlement-rows.ts'
import { settingsOf } from '../catalog/credit-entitlement-rows.ts'
import type { StretchJson } from '../catalog/stretches.ts'
import { allStretches } from '../catalog/stretches.ts'
import { instantFrom, instantOrNull } from '../connection/values.ts'
import type { StoredDocument } from './account-rows.ts'
import { storedOf } from './account-rows.ts'

/** What load_accounts() answers for one key. */
export interface AccountDocument extends StoredDocument {
  readonly business_id: string
  readonly mode: Mode
  readonly customer_id: string
  readonly entitlement_id: string
  readonly measured: Positions
  readonly clock_ahead_us: number | null
  readonly customer: object | null
  readonly entitlement: EntitlementJson | null
  readonly usage: readonly UsageJson[]
  readonly subscriptions: readonly SubscriptionJson[]
  readonly unsettled: readonly number[]
}

interface EntitlementJson extends EntitlementSettings {
  readonly deleted_at: string | null
  readonly stretches: readonly StretchJson[]
  readonly old_links: readonly StretchJson[]
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
  readonly old_stretches: readonly StretchJson[]
  readonly credit_cart: readonly CartItemJson[]
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
  ...settingsOf(json),
  deleted: json.deleted_at !== null,
  stretches: allStretches(json.stretches, json.old_links),
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
  stretches: allStretches(json.stretches, json.old_stretches),
  cart: cartFrom(json.credit_cart),
  metadata: json.metadata,
})
