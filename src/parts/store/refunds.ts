import type { RefundedPurchase } from '../../rules/accounts/take-back.ts'
import type { Refund, RefundStatus } from '../../rules/commerce/refunds/refund.ts'
import type { Instant } from '../../std/instant.ts'
import type { CustomerKey, Page, Scope } from './scope.ts'

export interface Refunds {
  get(scope: Scope, refundId: string): Promise<Refund | null>

  /** The refund of this id in any business; for the operator, who names none. */
  find(refundId: string): Promise<(Scope & { readonly refund: Refund }) | null>

  /** All refunds of a payment, newest first. */
  ofPayment(scope: Scope, paymentId: string): Promise<readonly Refund[]>

  /** Newest first; every filter that is not null must hold. */
  list(scope: Scope, filter: RefundFilter, page: Page): Promise<readonly Refund[]>

  /** The entitlements under which a payment has brought its customer credits that still live. */
  creditedBy(customer: CustomerKey, purchase: RefundedPurchase): Promise<readonly string[]>
}

export interface RefundFilter {
  readonly customerId: string | null
  readonly subscriptionId: string | null
  readonly status: RefundStatus | null
  readonly createdFrom: Instant | null
  readonly createdTo: Instant | null
}
