import { orNotFound } from '../../faults.ts'
import type { CheckoutSessions } from '../../parts/store/checkout-sessions.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Payments } from '../../parts/store/payments.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { CheckoutSession } from '../../rules/commerce/payments/checkout-session.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'

export interface ReadCheckoutNeeds {
  readonly customers: Customers
  readonly payments: Payments
  readonly sessions: CheckoutSessions
}

/** A session, the latest attempt to pay it, and who is known to pay. */
export interface ReadCheckout {
  readonly session: CheckoutSession
  readonly payment: Payment | null
  readonly customer: Customer | null
}

/** 404 for an unknown session. [resources#checkout-sessions] */
export async function readCheckout(
  { customers, payments, sessions }: ReadCheckoutNeeds,
  scope: Scope,
  sessionId: string,
): Promise<ReadCheckout> {
  const found = await sessions.get(scope, sessionId)
  const session = orNotFound(found, 'checkout session', sessionId)
  const { paymentId } = session
  const payment = paymentId === null ? null : await payments.get(scope, paymentId)
  const asked = session.request.customer
  const customerId = payment?.customerId ?? (asked !== null && 'id' in asked ? asked.id : null)
  const customer = customerId === null ? null : await customers.get(scope, customerId)
  return { session, payment, customer }
}
