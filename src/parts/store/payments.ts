import type { Currency } from '../../rules/commerce/currency.ts'
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

  /**
   * What payments made since then have brought in, by currency; null where that is more payments
   * than `most`, which are then not summed up.
   */
  taken(scope: Scope, since: Instant, most: number): Promise<readonly TakenMoney[] | null>
}

/** Of payments that succeeded, in the currency's smallest unit, with tax. */
export interface TakenMoney {
  readonly currency: Currency
  readonly amount: number
  readonly payments: number
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
