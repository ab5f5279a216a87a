import type { AccountKey } from '../../rules/accounts/view.ts'
import type { Instant } from '../../std/instant.ts'
import type { Scope } from './scope.ts'

/** A known moment that changes how usage is charged, not applied yet. In the business's time. */
export type Boundary =
  | {
      /** `subscription_end`: its `expires_at`, in the middle of a cycle. [subscriptions#endings] */
      readonly kind: 'cycle_end' | 'subscription_end'
      readonly at: Instant
      readonly scope: Scope
      readonly subscriptionId: string
    }
  | {
      readonly kind: 'expiry'
      readonly at: Instant
      readonly key: AccountKey
      readonly grantId: string
    }
  /**
   * The end of the calendar month that an account with default links is in.
   * [meters#who-takes-the-usage]
   */
  | { readonly kind: 'own_cycle_end'; readonly at: Instant; readonly key: AccountKey }

export type Whose = Scope & { readonly customerId?: string }

export interface Boundaries {
  /**
   * Those at or before `upTo`, earliest first, ends of cycles and subscriptions before expiries of
   * the same moment. `upTo` is real time, moved ahead by each business's test clock; of one
   * business or customer, if `whose` says so.
   */
  due(upTo: Instant, whose: Whose | null, limit: number): Promise<readonly Boundary[]>
}
