import type { Customer } from '../rules/commerce/catalog/customer.ts'
import type { CheckoutSession } from '../rules/commerce/payments/checkout-session.ts'
import { isOpened } from '../rules/commerce/payments/opened-payment.ts'
import type { Payment } from '../rules/commerce/payments/payment.ts'
import type { Subscription } from '../rules/commerce/subscriptions/subscription.ts'
import type { CheckoutCreate } from './checkout.ts'
import { clientSecretOf, purchaseOf, waysToPay } from './payment-create.ts'
import type { SubscriptionCreate, SubscriptionCreated } from './subscription.ts'
import { subscriptionCreated } from './subscription.ts'

/** The session that the same purchase would have: the subscription, and what is bought with it. */
export const checkoutOfSubscription = (body: SubscriptionCreate): CheckoutCreate => ({
  product_cart: [
    { product_id: body.product_id, quantity: body.quantity, addons: body.addons ?? null },
    ...(body.one_time_product_cart ?? []),
  ],
  ...purchaseOf(body),
  subscription_data: {
    on_demand: body.on_demand ?? null,
    trial_period_days: body.trial_period_days ?? null,
  },
})

/**
 * A refusal of the session that the same purchase would have, with the fields as this request names
 * them: the subscription comes first in that cart, and has no field of its own here.
 */
export const inSubscriptionWords = (problem: string): string =>
  problem
    .replace(/\bproduct_cart\[0\]\./g, '')
    .replace(/\bproduct_cart\[(\d+)\]/g, (_, at) => `one_time_product_cart[${Number(at) - 1}]`)
    .replace(/\bproduct_cart\b/g, 'one_time_product_cart')

/** A subscription that waits for its first payment. [subscriptions#pending] */
export function subscriptionOpened(of: {
  readonly subscription: Subscription
  readonly payment: Payment
  readonly session: CheckoutSession
  readonly customer: Customer
}): SubscriptionCreated {
  const { customer, payment, session, subscription } = of
  const [, ...others] = payment.products
  return {
    ...subscriptionCreated(subscription, customer),
    ...waysToPay({ payment, session }),
    client_secret: isOpened(payment) ? clientSecretOf(payment, session) : null,
    one_time_product_cart:
      others.length === 0
        ? null
        : others.map(({ productId, quantity }) => ({ product_id: productId, quantity })),
    payment_id: payment.paymentId,
    trial_amount: subscription.trialAmount,
  }
}
