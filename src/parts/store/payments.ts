import type { DisputeStatus } from '../../rules/commerce/disputes/dispute.ts'
import type { IntentStatus, Payment } from '../../rules/commerce/payments/payment.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

export interface Payments {
  get(scope: Scope, paymentId: string): Promise<Payment | null>

  /** The payment of this id in any business; for the operator, who names none. */
  find(paymentId: string): Promise<(Scope & { readonly payment: Payment }) | null>

  /** Newest first; every filter that is not null must hold. */
  list(scope: Scope, filter: PaymentFilter, page: Page): Promise<readonly Payment[]>
}

export interface PaymentFilter {
  readonly brandId: string | null
  readonly customerId: string | null
  readonly productId: string | null
  readonly subscriptionId: string | null
  readonly currency: string | null
  readonly status: IntentStatus | null
  readonly disputeStatus: DisputeStatus | null
  readonly createdFrom: Instant | null
  readonly createdTo: Instant | null
}
