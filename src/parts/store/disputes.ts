import type { Dispute, DisputeStage, DisputeStatus } from '../../rules/commerce/disputes/dispute.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

export interface Disputes {
  get(scope: Scope, disputeId: string): Promise<Dispute | null>

  /** The dispute of this id in any business; for the operator, who names none. */
  find(disputeId: string): Promise<(Scope & { readonly dispute: Dispute }) | null>

  /** All disputes of a payment, newest first. */
  ofPayment(scope: Scope, paymentId: string): Promise<readonly Dispute[]>

  /** Newest first; every filter that is not null must hold. */
  list(scope: Scope, filter: DisputeFilter, page: Page): Promise<readonly Dispute[]>
}

export interface DisputeFilter {
  readonly customerId: string | null
  readonly status: DisputeStatus | null
  readonly stage: DisputeStage | null
  readonly createdFrom: Instant | null
  readonly createdTo: Instant | null
}
