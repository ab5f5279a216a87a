import type { RefundedPurchase } from '../../rules/accounts/take-back.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Refund, RefundStatus } from '../../rules/commerce/refunds/refund.ts'
import type { Instant } from '../../std/instant.ts'
import type { CustomerKey, Page, Scope } from './scope.ts'

export interface Refunds {
  get(scope: Scope, refundId: string): Promise<Refund | null>

  /** The refund of this id in any business; for the operator, who names none. */
  find(refundId: string): Promise<(Scope & { readonly refund: Refund }) | null>

  /** All refunds of a payment, newest first. */
  ofPayment(scope: Scope, paymentId: string): Promise<readonly Refund[]>

  /** What refunds of a payment have put back into the wallet that has paid a part of it. */
  toWallet(scope: Scope, payment: Pick<Payment, 'customerId' | 'paymentId'>): Promise<number>

  /** Newest first; every filter that is not null must hold. */
  list(scope: Scope, filter: RefundFilter, page: Page): Promise<readonly Refund[]>

  /**
   * The grants that a payment has brought its customer, and those that came of them by rolling, by
   * entitlement: of those under which one of them still lives.
   */
  creditedBy(
    customer: CustomerKey,
    purchase: RefundedPurchase,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>>
}

export interface RefundFilter {
  readonly customerId: string | null
  readonly subscriptionId: string | null
  readonly status: RefundStatus | null
  readonly createdFrom: Instant | null
  readonly createdTo: Instant | null
}
