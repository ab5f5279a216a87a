import type { AccountChange } from '../../rules/accounts/change.ts'
import type {
  Subscription,
  SubscriptionStatus,
} from '../../rules/commerce/subscriptions/subscription.ts'
import type { MeasuredUsage } from '../../rules/commerce/subscriptions/usage-history.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

/** All that are given must hold. */
export interface SubscriptionFilter {
  readonly brandId: string | null
  readonly customerId: string | null
  readonly productId: string | null
  readonly status: SubscriptionStatus | null
  /** Whether it is to be cancelled at its next billing date. */
  readonly cancelling: boolean | null
  readonly createdFrom: Instant | null
  readonly createdTo: Instant | null
}

/** What becomes of accounts with a subscription. */
export interface DecidedChanges {
  readonly changes: readonly AccountChange[]
  /**
   * The business's clock that all of it was decided under. [subscriptions#the-time-of-a-command]
   */
  readonly clockAhead: Duration
}

export interface Subscriptions {
  /**
   * Writes an active subscription, moves its customer's routes version and saves the changes of its
   * accounts, all in one transaction. False, and nothing written, when an account lost a race or
   * the clock has moved.
   */
  activate(scope: Scope, subscription: Subscription, decided: DecidedChanges): Promise<boolean>

  /**
   * Writes a subscription over the version before its own and saves the changes of its accounts,
   * all in one transaction. False, and nothing written, when it or an account lost a race or the
   * clock has moved.
   */
  change(scope: Scope, subscription: Subscription, decided: DecidedChanges): Promise<boolean>

  /** What was measured for a subscription: a row for each meter, segment and hour of log time. */
  usageOf(
    scope: Scope,
    subscription: { readonly customerId: string; readonly subscriptionId: string },
  ): Promise<readonly MeasuredUsage[]>

  find(scope: Scope, subscriptionId: string): Promise<Subscription | null>

  /** Newest first. */
  list(scope: Scope, filter: SubscriptionFilter, page: Page): Promise<readonly Subscription[]>
}
