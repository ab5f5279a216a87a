import type { AccountKey } from '../../rules/accounts/view.ts'
import type { Instant } from '../../std/instant.ts'
import type { Scope } from './scope.ts'

/**
 * A known moment that changes how usage is charged and is not applied yet, in the business's time.
 */
export type Boundary =
  | {
      /**
       * `subscription_end` is its `expires_at`, which may lie in the middle of a cycle.
       * [subscriptions#endings]
       */
      readonly kind: 'cycle_end' | 'subscription_end'
      readonly at: Instant
      readonly scope: Scope
      readonly subscriptionId: string
    }
  /** Another attempt to be paid a renewal that failed. [subscriptions#dunning] */
  | {
      readonly kind: 'renewal_retry'
      readonly at: Instant
      readonly scope: Scope
      readonly subscriptionId: string
    }
  /** The end of the window in which a dispute can be answered. [refunds#disputes] */
  | {
      readonly kind: 'dispute_window'
      readonly at: Instant
      readonly scope: Scope
      readonly disputeId: string
    }
  /** What a processor says of a payment. [payments#news] */
  | {
      readonly kind: 'processor_news'
      readonly at: Instant
      readonly scope: Scope
      readonly newsId: string
    }
  | {
      readonly kind: 'expiry'
      readonly at: Instant
      readonly key: AccountKey
      readonly grantId: string
    }
  /**
   * The end of the calendar month, which is the cycle of an account with default links.
   * [meters#who-takes-the-usage]
   */
  | { readonly kind: 'own_cycle_end'; readonly at: Instant; readonly key: AccountKey }

export type DueBoundary = Boundary & {
  /**
   * Whether usage of its customer still holds an event that was voided before it and will be
   * without it in a moment. Applied sooner, nothing would be given back. [events#voids]
   */
  readonly waits: boolean
}

/** One business, or one of its customers. */
export type Whose = Scope & { readonly customerId?: string }

/** All businesses but some. */
export interface AllBut {
  readonly except: readonly Scope[]
}

export interface Boundaries {
  /**
   * The boundaries at or before `upTo`, earliest first; at the same moment ends of cycles and
   * subscriptions come before expiries. `upTo` is real time; each business's test clock runs ahead
   * of it. Null: those of all.
   */
  due(upTo: Instant, whose: Whose | AllBut | null, limit: number): Promise<readonly DueBoundary[]>
}
