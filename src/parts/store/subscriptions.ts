import type { ClosedTo } from '../../rules/commerce/subscriptions/folding.ts'
import type {
  Subscription,
  SubscriptionStatus,
} from '../../rules/commerce/subscriptions/subscription.ts'
import type { MeasuredUsage } from '../../rules/commerce/subscriptions/usage-history.ts'
import type { Stretch } from '../../rules/meter/route.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

/** Every filter that is not null must hold. */
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

export interface Subscriptions {
  /** What was measured for a subscription: one row per meter, segment and hour of log time. */
  usageOf(
    scope: Scope,
    subscription: { readonly customerId: string; readonly subscriptionId: string },
  ): Promise<readonly MeasuredUsage[]>

  /** Up to when nothing can be measured any more; null while that is unknown. */
  closedTo(scope: Scope): Promise<ClosedTo | null>

  /** Every stretch that it ever had: `find` answers those that may still be measured under. */
  stretches(scope: Scope, subscriptionId: string): Promise<readonly Stretch[]>

  find(scope: Scope, subscriptionId: string): Promise<Subscription | null>

  /** Newest first. */
  list(scope: Scope, filter: SubscriptionFilter, page: Page): Promise<readonly Subscription[]>
}
