import type { AccountChange } from '../../rules/accounts/change.ts'
import type { BalanceEntry } from '../../rules/commerce/balances/balance-entry.ts'
import type { Addon } from '../../rules/commerce/catalog/addon.ts'
import type { Brand } from '../../rules/commerce/catalog/brand.ts'
import type { ProductCollection } from '../../rules/commerce/catalog/collection.ts'
import type { CreditEntitlement } from '../../rules/commerce/catalog/credit-entitlement.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { LocalizedPrice } from '../../rules/commerce/catalog/localized-price.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { ShortLink } from '../../rules/commerce/catalog/short-link.ts'
import type { StoredFile } from '../../rules/commerce/catalog/stored-file.ts'
import type { FeeRow } from '../../rules/commerce/charges/fee-table.ts'
import type { TaxRow } from '../../rules/commerce/charges/tax-table.ts'
import type {
  Discount,
  DiscountCustomer,
  DiscountUse,
} from '../../rules/commerce/discounts/discount.ts'
import type { Dispute } from '../../rules/commerce/disputes/dispute.ts'
import type { EntitlementGrant } from '../../rules/commerce/entitlements/entitlement-grant.ts'
import type { ProductEntitlement } from '../../rules/commerce/entitlements/product-entitlement.ts'
import type { NewInvoice } from '../../rules/commerce/invoices/invoice.ts'
import type { LicenseKey, LicenseKeyInstance } from '../../rules/commerce/licenses/license-key.ts'
import type { CheckoutSession } from '../../rules/commerce/payments/checkout-session.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { SavedMethod } from '../../rules/commerce/payments/saved-method.ts'
import type { Payout } from '../../rules/commerce/payouts/payout.ts'
import type { Refund } from '../../rules/commerce/refunds/refund.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Wallet, WalletEntry } from '../../rules/commerce/wallets/wallet.ts'
import type { NewFact, OwnFact } from '../../rules/facts/fact.ts'
import type { WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
import type { Meter } from '../../rules/meter/meter.ts'
import type { Folded } from '../../rules/meter/route.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import type { Business } from './businesses.ts'
import type { Key, NewKey } from './keys.ts'
import type { ProcessorNews } from './processor-news.ts'
import type { Scope } from './scope.ts'
import type { User } from './users.ts'

/** Everything that one run of an operation has decided to write. [machines#writers] */
export interface Change {
  /** Where a business itself changes, which has both modes, either of them. */
  readonly scope: Scope
  /**
   * The business's clock under which the change was decided; null: the time played no part.
   * [subscriptions#the-time-of-a-command]
   */
  readonly clockAhead: Duration | null
  readonly rows: readonly RowChange[]
  readonly accounts: readonly AccountChange[]
  /** Facts that belong to no account; they are told before the accounts' own facts. */
  readonly facts: readonly LoneFact[]
}

/** A fact for the outbox, with everything that it tells. */
export type LoneFact = OwnFact & Pick<NewFact, 'messageId' | 'at'>

/**
 * A row as it is to become. `expected` names the state on which that was decided: the version, the
 * time of the last change where every change has a later one, or else the row as it was loaded.
 * Null: there is no row yet. A row that stands already gets a version that the store draws, from
 * the one that `row` names on: no commit that was lost had it.
 */
export type RowChange =
  | { readonly noun: 'addon'; readonly expected: Instant | null; readonly row: Addon }
  | { readonly noun: 'api_key'; readonly expected: null; readonly row: NewKey }
  | { readonly noun: 'api_key'; readonly expected: Key; readonly row: Key }
  /** The store gives it its place behind the newest entry of its ledger, whichever that is. */
  | { readonly noun: 'balance_entry'; readonly expected: null; readonly row: BalanceEntry }
  | {
      readonly noun: 'brand'
      /** When the row was last changed; every change of it has a later time. */
      readonly expected: Instant | null
      /**
       * As it is, where the change only relies on it. One that is archived now gives all it holds
       * to the brand that it names, which stands in the same change.
       */
      readonly row: Brand
    }
  | { readonly noun: 'business'; readonly expected: Business | null; readonly row: Business }
  | {
      readonly noun: 'collection'
      /** When the row was last changed; every change of it has a later time. */
      readonly expected: Instant | null
      /** Its products are of its brand, and in no other collection, or it is not written. */
      readonly row: ProductCollection
    }
  | Versioned<'checkout_session', CheckoutSession>
  | {
      readonly noun: 'credit_entitlement'
      /** When the row was last changed; every change of it has a later time. */
      readonly expected: Instant | null
      readonly row: CreditEntitlement
      /**
       * Stretches of default links that `row` leaves out. Those under which usage was measured are
       * kept, because accounts are loaded with the stretches of their own usage.
       */
      readonly over: Folded['over']
    }
  | { readonly noun: 'customer'; readonly expected: Customer | null; readonly row: Customer }
  | {
      readonly noun: 'discount'
      /** When it was last changed; every change of it has a later time. Uses are no change. */
      readonly expected: Instant | null
      /** The store counts its uses, whatever it says of them. */
      readonly row: Discount
    }
  | {
      /** Null attaches a customer who is not attached yet, else the customer is detached. */
      readonly noun: 'discount_customer'
      readonly expected: DiscountCustomer | null
      readonly row: DiscountCustomer
    }
  | {
      /** Stands only while the limits of the discount leave room for it. */
      readonly noun: 'discount_use'
      readonly expected: null
      readonly row: DiscountUse
      /** Whether it only waits for what becomes of its payment, and does not count yet. */
      readonly held: boolean
      /** When the discount was last changed. */
      readonly discountAsOf: Instant
    }
  /** One that is there may only be deleted. */
  | { readonly noun: 'file'; readonly expected: StoredFile | null; readonly row: StoredFile }
  /** Expected: when it was last changed; every change of it has a later time. */
  | {
      readonly noun: 'product_entitlement'
      readonly expected: Instant | null
      readonly row: ProductEntitlement
    }
  /** The same; there is one for each entitlement and purchase. */
  | {
      readonly noun: 'entitlement_grant'
      readonly expected: Instant | null
      readonly row: EntitlementGrant
    }
  /** The store gives it the next number of its business, mode and kind. */
  | { readonly noun: 'invoice'; readonly expected: null; readonly row: NewInvoice }
  | {
      /** A use that is held, whatever has become of its discount since. */
      readonly noun: 'discount_use'
      readonly expected: 'held'
      readonly row: DiscountUse
      readonly becomes: 'counted' | 'released'
    }
  | {
      /** A new one whose `key` another has, whosever it is, is `taken`. */
      readonly noun: 'license_key'
      /** When the row was last changed; every change of it has a later time. */
      readonly expected: Instant | null
      readonly row: LicenseKey
    }
  | {
      /** Their number stands with the key, in the same change. */
      readonly noun: 'license_key_instance'
      readonly expected: LicenseKeyInstance | null
      readonly row: LicenseKeyInstance
      /** The key is in use there no more. */
      readonly ends: boolean
    }
  | { readonly noun: 'meter'; readonly expected: Meter | null; readonly row: Meter }
  | {
      readonly noun: 'localized_price'
      /** When the row was last changed; every change of it has a later time. */
      readonly expected: Instant | null
      /** Its product stands in the same change, with a later time: no other price came since. */
      readonly row: LocalizedPrice
    }
  | {
      readonly noun: 'product'
      /** When the row was last changed; every change of it has a later time. */
      readonly expected: Instant | null
      readonly row: Product
    }
  /** A slug that is another's is `taken`. */
  | { readonly noun: 'short_link'; readonly expected: null; readonly row: ShortLink }
  | Versioned<'payment', Payment>
  | Versioned<'payment_method', SavedMethod>
  | {
      readonly noun: 'payout'
      /** The version that is expected; `row` has the next one. */
      readonly expected: number | null
      readonly row: Payout
      /** Of a new one: the newest entry of its ledger, since it pays all that is unpaid. */
      readonly newestEntryId: BalanceEntry['entryId'] | null
    }
  | {
      readonly noun: 'processor_news'
      /** Heard: it is there, and ends with the change. Otherwise it comes with it. */
      readonly heard: boolean
      readonly row: ProcessorNews
    }
  | Versioned<'dispute', Dispute>
  | {
      readonly noun: 'refund'
      /** The version that is expected; `row` has the next one. */
      readonly expected: number | null
      /** Its payment stands in the same change, a version on: no other refund came since. */
      readonly row: Refund
    }
  | {
      readonly noun: 'subscription'
      /** The version that is expected; `row` has the next one. */
      readonly expected: number | null
      readonly row: Subscription
      /**
       * Stretches that `row` leaves out. They are kept beside it, because accounts are loaded with
       * the stretches of their own usage.
       */
      readonly over: Folded['over']
    }
  | {
      /** The whole table, which replaces the one before it, whatever that was. */
      readonly noun: 'tax_table'
      readonly expected: null
      readonly row: { readonly businessId: string; readonly rows: readonly TaxRow[] }
    }
  | {
      readonly noun: 'fee_table'
      readonly expected: null
      readonly row: { readonly businessId: string; readonly rows: readonly FeeRow[] }
    }
  | {
      /** An e-mail address that is another's is `taken`. */
      readonly noun: 'user'
      /** As it was loaded; `row` has the next version. */
      readonly expected: User | null
      readonly row: User
    }
  | {
      readonly noun: 'wallet'
      /** As it was loaded, which `entry` goes on from. */
      readonly expected: Wallet | null
      readonly row: Wallet
      /** The one that the change adds. */
      readonly entry: WalletEntry
    }
  | {
      readonly noun: 'webhook_endpoint'
      readonly expected: null
      readonly row: WebhookEndpoint
      /** How many others the business has, in both modes together. */
      readonly among: number
      readonly idempotencyKey: string | null
    }
  | {
      readonly noun: 'webhook_endpoint'
      readonly expected: WebhookEndpoint
      /** A disabled one, too, gets nothing more of what is waiting for it. */
      readonly row: WebhookEndpoint
      /** Null: it stays. */
      readonly deletedAt: Instant | null
    }

interface Versioned<Noun extends string, Row> {
  readonly noun: Noun
  /** The version that is expected; `row` has the next one. */
  readonly expected: number | null
  readonly row: Row
}

/** A change of one row alone, in which the time plays no part. */
export const rowAlone = (scope: Scope, row: RowChange): Change => ({
  scope,
  clockAhead: null,
  rows: [row],
  accounts: [],
  facts: [],
})

/**
 * `moved`: nothing was written, because something that the change was decided on is no longer so;
 * load and decide again. `taken`: nothing was written, because a name in it belongs to another row.
 */
export type CommitOutcome = 'committed' | 'moved' | 'taken'

/** The one way in which operations write what depends on what they have read. */
export interface Changes {
  /**
   * Writes all of a change in one transaction, or nothing. It is written only while every row and
   * account is as expected, the business's clock has not moved, and no idempotency key was used
   * before.
   */
  commit(change: Change): Promise<CommitOutcome>

  /**
   * Writes many changes of accounts that have nothing to do with one another: each is written or
   * left out by itself. Answers the ids of the accounts that were written; the others have moved.
   */
  commitEach(changes: readonly AccountChange[]): Promise<ReadonlySet<string>>
}
