import assert from 'node:assert/strict'
import type { Scope } from '../../parts/store/scope.ts'
import { newAttempt } from '../../rules/commerce/payments/attempt.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../std/instant.ts'
import { planBought } from '../boundaries/renewal-payment.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'

/**
 * The payment that keeps a card for a subscription: of what it owes, or, where it owes nothing, of
 * 0. Nothing is charged yet, and no wallet pays it: it is the card that is to be kept.
 * [payments#settling-sessions]
 */
export async function methodPayment(
  { newId, payments, processors }: Pick<PaymentNeeds, 'newId' | 'payments' | 'processors'>,
  scope: Scope,
  of: { readonly before: Subscription; readonly sessionId: string; readonly at: Instant },
): Promise<Payment> {
  const { before } = of
  const owed = before.dues === null ? null : await payments.get(scope, before.dues.paymentId)
  assert(before.dues === null || owed !== null, 'a payment that failed is gone')
  const { currency, lines, products, tax, totalAmount } = owed ?? nothingOwed(before)
  return newAttempt(
    {
      paymentId: newId('pay'),
      processor: processors[scope.mode].name,
      brandId: before.brandId,
      customerId: before.customerId,
      subscriptionId: before.subscriptionId,
      sessionId: of.sessionId,
      purpose: owed === null ? 'method_update' : 'renewal',
      currency,
      totalAmount,
      tax,
      lines,
      discounts: owed?.discounts ?? [],
      products,
      billing: before.billing,
      taxId: before.taxId,
      customerBusinessName: before.customerBusinessName,
      metadata: before.metadata,
      token: null,
    },
    of.at,
  )
}

const nothingOwed = (before: Subscription) => ({
  currency: before.currency,
  lines: [],
  products: [planBought(before)],
  tax: 0,
  totalAmount: 0,
})
