import type { Processor } from '../../../src/parts/processors/port.ts'
import type { Accounts } from '../../../src/parts/store/accounts.ts'
import type { Boundaries } from '../../../src/parts/store/boundaries.ts'
import type { Businesses } from '../../../src/parts/store/businesses.ts'
import type { Changes } from '../../../src/parts/store/changes.ts'
import type { Charges } from '../../../src/parts/store/charges.ts'
import type { CheckoutSessions } from '../../../src/parts/store/checkout-sessions.ts'
import type { CreditEntitlements } from '../../../src/parts/store/credit-entitlements.ts'
import type { Customers } from '../../../src/parts/store/customers.ts'
import type { Disputes } from '../../../src/parts/store/disputes.ts'
import type { EntitlementGrants } from '../../../src/parts/store/entitlement-grants.ts'
import type { Invoices } from '../../../src/parts/store/invoices.ts'
import type { LicenseKeys } from '../../../src/parts/store/license-keys.ts'
import type { PaymentMethods } from '../../../src/parts/store/payment-methods.ts'
import type { Payments } from '../../../src/parts/store/payments.ts'
import type { AllProcessorNews } from '../../../src/parts/store/processor-news.ts'
import type { ProductEntitlements } from '../../../src/parts/store/product-entitlements.ts'
import type { Products } from '../../../src/parts/store/products.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { StoredFiles } from '../../../src/parts/store/stored-files.ts'
import type { Subscriptions } from '../../../src/parts/store/subscriptions.ts'
import type { Wallets } from '../../../src/parts/store/wallets.ts'
import type { Fold } from '../../../src/rules/meter/fold.ts'
import type { Mode } from '../../../src/rules/meter/meter.ts'
import type { SubscriptionRoute } from '../../../src/rules/meter/route.ts'
import type { Target } from '../../../src/rules/meter/target.ts'
import type { NewId } from '../../../src/std/id.ts'

/** What a billing desk stands on: the real store, or a fast one in memory. */
export interface Shelf {
  readonly scope: Scope
  readonly customerId: string
  readonly newId: NewId
  readonly accounts: Accounts
  readonly changes: Pick<Changes, 'commit'>
  readonly businesses: Pick<Businesses, 'clockAhead'>
  readonly subscriptions: Subscriptions
  readonly products: Products
  readonly creditEntitlements: CreditEntitlements
  readonly customers: Customers
  readonly invoices: Pick<Invoices, 'get' | 'seller'>
  readonly licenseKeys: Pick<LicenseKeys, 'broughtBy'>
  readonly wallets: Pick<Wallets, 'list'>
  readonly entitlementGrants: Pick<EntitlementGrants, 'broughtBy'>
  readonly productEntitlements: Pick<ProductEntitlements, 'many'>
  readonly storedFiles: Pick<StoredFiles, 'many'>
  readonly payments: Payments
  readonly paymentMethods: PaymentMethods
  readonly charges: Charges
  readonly disputes: Disputes
  readonly rapidUpTo: null
  readonly sessions: CheckoutSessions
  readonly processorNews: AllProcessorNews
  readonly processors: Readonly<Record<Mode, Processor>>
  readonly boundaries: Boundaries
  /** Sets how many microseconds the test clock is ahead of real time. */
  setAhead(ahead: number): Promise<void>
  routes(): Promise<readonly SubscriptionRoute[]>
  /** Commits one customer's events as measuring does. */
  commit(counted: readonly Counted[]): Promise<void>
  /** Commits the void of an event. */
  takeBack(eventId: string): Promise<void>
}

/** One event's part of one row of usage. */
export interface Counted {
  readonly eventId: string
  readonly meterId: string
  readonly target: Target
  readonly fold: Fold
}

export const rowKeyOf = ({ meterId, target }: Counted): string =>
  [meterId, target.routeId, target.segment.cycle.start, target.segment.start, target.logHour].join(
    ' ',
  )
