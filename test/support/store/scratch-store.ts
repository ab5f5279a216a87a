import { processors } from '../../../src/compose/processors.ts'
import type { OfferNeeds } from '../../../src/operations/checkouts/offered.ts'
import type { PricingNeeds } from '../../../src/operations/payments/priced-purchase.ts'
import type { PayoutNeeds } from '../../../src/operations/payouts/payout-needs.ts'
import type { RefundNeeds } from '../../../src/operations/refunds/refund-needs.ts'
import type { Accounts } from '../../../src/parts/store/accounts.ts'
import type { Balances } from '../../../src/parts/store/balances.ts'
import type { Brands } from '../../../src/parts/store/brands.ts'
import type { Businesses } from '../../../src/parts/store/businesses.ts'
import type { Changes } from '../../../src/parts/store/changes.ts'
import type { Collections } from '../../../src/parts/store/collections.ts'
import type { EntitlementGrants } from '../../../src/parts/store/entitlement-grants.ts'
import type { Ledger } from '../../../src/parts/store/ledger.ts'
import type { LicenseKeys } from '../../../src/parts/store/license-keys.ts'
import type { Measured, MeasuredSlice, Measuring } from '../../../src/parts/store/measuring.ts'
import { accounts } from '../../../src/parts/store/postgres/accounts/accounts.ts'
import { boundaries } from '../../../src/parts/store/postgres/accounts/boundaries.ts'
import { ledger } from '../../../src/parts/store/postgres/accounts/ledger.ts'
import { addons } from '../../../src/parts/store/postgres/catalog/addons.ts'
import { brands } from '../../../src/parts/store/postgres/catalog/brands.ts'
import { businesses } from '../../../src/parts/store/postgres/catalog/businesses.ts'
import { collections } from '../../../src/parts/store/postgres/catalog/collections.ts'
import { creditEntitlements } from '../../../src/parts/store/postgres/catalog/credit-entitlements.ts'
import { customers } from '../../../src/parts/store/postgres/catalog/customers.ts'
import { discounts } from '../../../src/parts/store/postgres/catalog/discounts.ts'
import { localizedPrices } from '../../../src/parts/store/postgres/catalog/localized-prices.ts'
import { meters } from '../../../src/parts/store/postgres/catalog/meters.ts'
import { products } from '../../../src/parts/store/postgres/catalog/products.ts'
import { stretchesJson } from '../../../src/parts/store/postgres/catalog/stretches.ts'
import { subscriptions } from '../../../src/parts/store/postgres/catalog/subscriptions.ts'
import { changes } from '../../../src/parts/store/postgres/changes/changes.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { paymentRepositories } from '../../../src/parts/store/postgres/payments/payment-repositories.ts'
import { measuring } from '../../../src/parts/store/postgres/usage/measuring.ts'
import type { ProductEntitlements } from '../../../src/parts/store/product-entitlements.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { Subscriptions } from '../../../src/parts/store/subscriptions.ts'
import type { Wallets } from '../../../src/parts/store/wallets.ts'
import type { Stretch } from '../../../src/rules/meter/route.ts'
import { usage } from '../../../src/rules/meter/route.ts'
import { markBytes } from '../../../src/rules/meter/route-mark.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { powerOfTen } from '../../../src/std/decimal.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { instantOf, parseInstant } from '../../../src/std/instant.ts'
import { coreTables } from './core-tables.ts'
import { scratchDatabase } from './database.ts'
import { newBusiness } from './new-business.ts'

/** The core of the store on a database of its own, with what suites fill it with. */
export interface ScratchStore extends OfferNeeds, PayoutNeeds, PricingNeeds, RefundNeeds {
  readonly db: Db
  /** Of its database. */
  readonly url: string
  readonly accounts: Accounts
  readonly balances: Balances
  readonly businesses: Businesses
  readonly changes: Changes
  readonly clock: RefundNeeds['clock']
  readonly brands: Brands
  readonly collections: Collections
  readonly measuring: Measuring
  readonly ledger: Ledger
  readonly licenseKeys: LicenseKeys
  readonly wallets: Wallets
  readonly productEntitlements: ProductEntitlements
  readonly entitlementGrants: EntitlementGrants
  readonly subscriptions: Subscriptions
  /** What another process would have: connections of its own. */
  another(): Pick<ScratchStore, 'accounts' | 'changes' | 'measuring' | 'db'>
  business(): Promise<Scope>
  customer(scope: Scope): Promise<string>
  /**
   * Makes an entitlement, by default linked to the meter `mtr_calls`: a unit costs a credit, and no
   * unit is free.
   */
  entitlement(scope: Scope, options?: EntitlementOptions): Promise<string>
  /** All rows of the core's tables, to compare them with later ones. */
  contents(): Promise<string>
  drop(): Promise<void>
}

export interface EntitlementOptions {
  readonly precision?: number
  readonly overage?: { readonly limit: number | null }
  readonly lowBalanceThreshold?: string
}

/** The first of a month, when cycles of default links begin. */
export const january = instantAt('2026-01-01T00:00:00Z')
export const february = instantAt('2026-02-01T00:00:00Z')

export function instantAt(text: string): Instant {
  const at = parseInstant(text)
  if (at === null) throw new Error(`${text} is no timestamp.`)
  return at
}

/** The same desk at another moment, with everything measured that was received before it. */
export const atMoment = <T extends RefundNeeds>(moment: Instant, desk: T): T => ({
  ...desk,
  clock: { now: () => moment, believed: () => moment },
  measuring: { ...desk.measuring, watermark: async () => moment },
})

/** `server` as in `scratchDatabase()`. */
export async function scratchStore(server?: string): Promise<ScratchStore> {
  const scratch = await scratchDatabase(server)
  const { db } = scratch
  const newId = randomIds()
  const others: Db[] = []
  return {
    db,
    url: scratch.url,
    newId,
    wrote: () => undefined,
    accounts: accounts(db),
    changes: changes(db),
    boundaries: boundaries(db),
    businesses: businesses(db),
    clock: { now: () => january, believed: () => january },
    measuring: measuring(db),
    ledger: ledger(db),
    subscriptions: subscriptions(db),
    customers: customers(db),
    meters: meters(db),
    addons: addons(db),
    brands: brands(db),
    collections: collections(db),
    discounts: discounts(db),
    localizedPrices: localizedPrices(db),
    products: products(db),
    creditEntitlements: creditEntitlements(db),
    ...paymentRepositories(db),
    rapidUpTo: null,
    processors,
    another,
    business,
    customer,
    entitlement,
    contents,
    drop,
  }

  function another() {
    const own = openDb({ url: scratch.url, connectionsMax: 4, name: 'another' })
    others.push(own)
    return { db: own, accounts: accounts(own), changes: changes(own), measuring: measuring(own) }
  }

  async function business(): Promise<Scope> {
    return { businessId: await newBusiness(db, newId('bus')), mode: 'test' }
  }

  async function customer({ businessId, mode }: Scope): Promise<string> {
    const customerId = newId('cus')
    await db.query(sql`
      insert into customers (business_id, mode, customer_id, email, name, created_at, updated_at)
      values (${businessId}, ${mode}, ${customerId}, 'a@example.com', 'A', now(), now())`)
    return customerId
  }

  async function entitlement(
    { businessId, mode }: Scope,
    options: EntitlementOptions = {},
  ): Promise<string> {
    const id = newId('cde')
    const { overage, precision = 0, lowBalanceThreshold = null } = options
    await db.query(sql`
      insert into credit_entitlements (business_id, mode, credit_entitlement_id, name, unit,
        precision, rollover_enabled, overage_enabled, overage_behavior, overage_limit,
        low_balance_threshold, stretches, created_at, updated_at)
      values (${businessId}, ${mode}, ${id}, ${id}, 'credit', ${precision}, false,
        ${overage !== undefined}, 'forgive_at_reset', ${overage?.limit ?? null},
        ${lowBalanceThreshold}::numeric, ${stretchesJson(linked(id))}::jsonb, now(), now())`)
    return id
  }

  async function contents(): Promise<string> {
    const parts: string[] = []
    for (const table of coreTables) {
      const [row] = await db.query<{ rows: string | null }>({
        text: `select string_agg(r, E'\\n' order by r) as rows
          from (select to_jsonb(t)::text as r from ${table} t) listed`,
        values: [],
      })
      parts.push(`${table}\n${row?.rows ?? ''}`)
    }
    return parts.join('\n')
  }

  async function drop(): Promise<void> {
    for (const other of others) await other.close()
    await scratch.drop()
  }
}

/**
 * Default links as an entitlement keeps them: one stretch of calendar months that has always been.
 */
export const linked = (entitlementId: string, unitsPerCredit = 1n): readonly Stretch[] => [
  {
    from: instantOf(0),
    anchor: instantOf(0),
    frequency: { count: 1, interval: 'Month' },
    links: ['mtr_calls', 'mtr_bytes', 'mtr_seats'].map((meterId) => ({
      meterId,
      entitlementId,
      unitsPerCredit: unitsPerCredit * powerOfTen(18),
      freeThreshold: usage(0n),
      pricePerUnit: null,
    })),
  },
]

export type Increment = Measured['usage'][number]

/** What one measuring transaction commits, with nothing in it that a test does not ask for. */
export const measuredOf = (parts: Partial<Measured>): Measured => ({
  slices: [],
  usage: [],
  accounts: [],
  catalogs: [],
  routes: [],
  quarantined: [],
  ...parts,
})

/** A slice with `events` billed events in one record at `start`. */
export function sliceOf(parts: Partial<MeasuredSlice> & { readonly events?: number }) {
  const { events = 1, start = 0 } = parts
  const slice: MeasuredSlice = {
    partition: 0,
    epoch: 1,
    start,
    end: start + 1,
    logAt: january,
    ran: 0,
    digest: null,
    events,
    billed: events,
    unmatched: 0,
    duplicates: 0,
    quarantined: 0,
    // No two are alike.
    fingerprints: Uint8Array.from({ length: events * 12 }, (_, at) =>
      at % 12 === 11 ? Math.floor(at / 12) : start + 1,
    ),
    verdicts: new Uint8Array(events),
    routeMarks: new Uint8Array(events * markBytes),
    ...parts,
  }
  return slice
}
