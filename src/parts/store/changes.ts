import type { AccountChange } from '../../rules/accounts/change.ts'
import type { CreditEntitlement } from '../../rules/commerce/catalog/credit-entitlement.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { NewFact, OwnFact } from '../../rules/facts/fact.ts'
import type { Folded } from '../../rules/meter/route.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import type { Scope } from './scope.ts'

/** What an operation has decided, whole. [machines#writers] */
export interface Change {
  readonly scope: Scope
  /**
   * The business's clock that it was decided under; null: what time it is decides nothing about it.
   * [subscriptions#the-time-of-a-command]
   */
  readonly clockAhead: Duration | null
  readonly rows: readonly RowChange[]
  readonly accounts: readonly AccountChange[]
  /** Those that are about no account; told before the accounts' own. */
  readonly facts: readonly LoneFact[]
}

/** A fact on its way into the outbox, with all that it tells. */
export type LoneFact = OwnFact & Pick<NewFact, 'messageId' | 'at'>

/** A row as it becomes; `expected`: what names the state that it was decided on, null: none yet. */
export type RowChange =
  | {
      readonly noun: 'subscription'
      /** The version; that of `row` is the one after it. */
      readonly expected: number | null
      readonly row: Subscription
    }
  | {
      readonly noun: 'credit_entitlement'
      /** When it was changed last: every change of it has a later time. */
      readonly expected: Instant | null
      readonly row: CreditEntitlement
      /**
       * Stretches of default links that `row` leaves out. Those that usage was measured under are
       * kept: accounts are loaded with the ones of their own usage.
       */
      readonly over: Folded['over']
    }

/**
 * `moved`: nothing was written, since something that it was decided on is another by now. Load and
 * decide again. `taken`: nothing was written, since a name in it is another's.
 */
export type CommitOutcome = 'committed' | 'moved' | 'taken'

/** The one way in which operations write what depends on what they have read. */
export interface Changes {
  /**
   * Writes all of a change in one transaction, or nothing: while every row and account is the one
   * that was expected, the business's clock stands, and no idempotency key was used before.
   */
  commit(change: Change): Promise<CommitOutcome>

  /**
   * The same for many accounts that have nothing to do with one another: each is written or left
   * out by itself. Answers the ids of the written; the others have moved.
   */
  commitEach(changes: readonly AccountChange[]): Promise<ReadonlySet<string>>
}
