import type { Customer } from '../rules/commerce/catalog/customer.ts'
import type { CheckoutSession } from '../rules/commerce/payments/checkout-session.ts'
import { isOpened } from '../rules/commerce/payments/opened-payment.ts'
import type { Payment } from '../rules/commerce/payments/payment.ts'
import type { Subscription } from '../rules/commerce/subscriptions/subscription.ts'
import type { CheckoutCreate } from './checkout.ts'
import { clientSecretOf, waysToPay } from './payment-create.ts'
import type { SubscriptionCreate, SubscriptionCreated } from './subscription.ts'
import { subscriptionCreated } from './subscription.ts'

/** The session that the same purchase would have: the subscription, and what is bought with it. */
export const checkoutOfSubscription = (body: SubscriptionCreate): CheckoutCreate => ({
  product_cart: [
    { product_id: body.product_id, quantity: body.quantity, addons: body.addons ?? null },
    ...(body.one_time_product_cart ?? []),
  ],
  allowed_payment_method_types: body.allowed_payment_method_types ?? null,
  billing_address: body.billing,
  billing_currency: body.billing_currency ?? null,
  customer: body.customer,
  customer_business_name: body.customer_business_name ?? null,
  discount_code: body.discount_code ?? null,
  discount_codes: body.discount_codes ?? null,
  feature_flags: {
    require_phone_number: body.require_phone_number ?? false,
    ...(body.redirect_immediately == null
      ? {}
      : { redirect_immediately: body.redirect_immediately }),
  },
  force_3ds: body.force_3ds ?? null,
  metadata: body.metadata ?? null,
  payment_method_id: body.payment_method_id ?? null,
  return_url: body.return_url ?? null,
  short_link: body.short_link ?? null,
  show_saved_payment_methods: body.show_saved_payment_methods ?? null,
  subscription_data: {
    on_demand: body.on_demand ?? null,
    trial_period_days: body.trial_period_days ?? null,
  },
  tax_id: body.tax_id ?? null,
})

/** A subscription that waits for its first payment. [subscriptions#pending] */
export function subscriptionOpened(of: {
  readonly subscription: Subscription
  readonly payment: Payment
  readonly session: CheckoutSession
  readonly customer: Customer
}): SubscriptionCreated {
  const { customer, payment, session, subscription } = of
  const [, ...others] = payment.products
  const [first] = payment.lines
  return {
    ...subscriptionCreated(subscription, customer),
    ...waysToPay({ payment, session }),
    client_secret: isOpened(payment) ? clientSecretOf(payment, session) : null,
    one_time_product_cart:
      others.length === 0
        ? null
        : others.map(({ productId, quantity }) => ({ product_id: productId, quantity })),
    payment_id: payment.paymentId,
    trial_amount: subscription.trialPeriodDays === 0 ? null : (first?.amount ?? null),
  }
}
