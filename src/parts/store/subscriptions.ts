import type {
  Subscription,
  SubscriptionStatus,
} from '../../rules/commerce/subscriptions/subscription.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Instant } from '../../std/instant.ts'
import type { AccountChange } from './accounts.ts'

/** Whose data. Every read and write names it. */
export interface BusinessScope {
  readonly businessId: string
  readonly mode: Mode
}

/** All that are given must hold. */
export interface SubscriptionFilter {
  readonly brandId: string | null
  readonly customerId: string | null
  readonly productId: string | null
  readonly status: SubscriptionStatus | null
  readonly createdFrom: Instant | null
  readonly createdTo: Instant | null
}

export interface Subscriptions {
  /**
   * Writes an active subscription, moves its customer's routes version and saves the changes of its
   * accounts, all in one transaction. False, and nothing written, when an account lost a race.
   */
  activate(
    scope: BusinessScope,
    subscription: Subscription,
    changes: readonly AccountChange[],
  ): Promise<boolean>

  find(scope: BusinessScope, subscriptionId: string): Promise<Subscription | null>

  /** Newest first. */
  list(
    scope: BusinessScope,
    filter: SubscriptionFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly Subscription[]>
}
