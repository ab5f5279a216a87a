import type { RowChange } from '../../../parts/store/changes.ts'
import type { Scope } from '../../../parts/store/scope.ts'
import type { AccountCommand } from '../../../rules/accounts/change.ts'
import type { Payment } from '../../../rules/commerce/payments/payment.ts'
import type { Refund } from '../../../rules/commerce/refunds/refund.ts'
import type { OwnFact } from '../../../rules/facts/fact.ts'
import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'

/**
 * Loads what one subject decides by when a refund of the payment succeeds, anew in every try, and
 * answers its decision; null: the payment has brought nothing of the subject.
 * [refunds#what-a-refund-takes-back]
 */
export type TakingBack<Needs> = (
  needs: Needs,
  scope: Scope,
  payment: Payment,
) => Promise<TakingDecision | null>

export interface TakingDecision {
  /** The customer's accounts for which it may have commands. */
  readonly entitlementIds: readonly string[]
  /** Loads once more what the versions of these accounts cover, when they are loaded. */
  readonly look?: () => Promise<void>
  /** Pure: what the refund takes back at this moment. */
  readonly decide: (moment: RefundMoment) => TakenByRefund
}

export interface RefundMoment {
  /** As the refund leaves it: its `refundStatus` says whether all of it has gone back. */
  readonly payment: Payment
  /** It has succeeded. */
  readonly refund: Refund
  /** What of it goes back to what was charged; the rest goes back into the wallet. */
  readonly charged: number
  readonly at: Instant
  readonly newId: NewId
}

/** What a refund takes back of one subject. Everything is written in the refund's change. */
export interface TakenByRefund {
  readonly commands?: ReadonlyMap<string, AccountCommand>
  readonly rows?: readonly RowChange[]
  /** They are told after the refund's own fact, and before those of accounts. [webhooks#kinds] */
  readonly facts?: readonly OwnFact[]
}
