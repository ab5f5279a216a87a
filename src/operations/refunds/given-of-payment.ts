import type { Disputes } from '../../parts/store/disputes.ts'
import type { Refunds } from '../../parts/store/refunds.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Dispute } from '../../rules/commerce/disputes/dispute.ts'
import type { GivenBack } from '../../rules/commerce/payments/given-back.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Refund } from '../../rules/commerce/refunds/refund.ts'

/** What has gone back of a payment, with all that is known of it. */
export interface GivenOfPayment extends GivenBack {
  readonly refunds: readonly Refund[]
  readonly disputes: readonly Dispute[]
}

/**
 * Loads all that has taken money of a payment, which is loaded before: whatever takes more of it
 * writes the payment, too, so its version tells whether this still holds.
 */
export async function givenOfPayment(
  needs: { readonly disputes: Disputes; readonly refunds: Refunds },
  scope: Scope,
  payment: Payment,
): Promise<GivenOfPayment> {
  const { fromWallet, paymentId } = payment
  const [refunds, disputes, toWallet] = await Promise.all([
    needs.refunds.ofPayment(scope, paymentId),
    needs.disputes.ofPayment(scope, paymentId),
    fromWallet === 0 ? 0 : needs.refunds.toWallet(scope, payment),
  ])
  return { refunds, disputes, toWallet }
}
