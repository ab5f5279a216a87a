import { unlessRefused } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { SubscribeRequest } from '../../rules/commerce/subscriptions/subscribe-request.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { OpenedPayment, OpeningPayment } from '../payments/open-payment.ts'
import { openPayment } from '../payments/open-payment.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'
import type { PricingNeeds } from '../payments/priced-purchase.ts'
import type { SubscribingNeeds } from './create-subscription.ts'
import { createSubscription, firstChargeOf } from './create-subscription.ts'

export interface SubscribeNeeds extends SubscribingNeeds, PaymentNeeds, PricingNeeds {
  readonly clock: SubscribingNeeds['clock']
}

export interface Subscribe {
  readonly request: SubscribeRequest
  /** The same as a purchase, with what is bought besides. */
  readonly purchase: Pick<OpeningPayment, 'request' | 'linkTo' | 'paymentMethodId'>
}

/** The subscription, and what is to be paid before it begins; null: nothing, it has begun. */
export interface Subscribed {
  readonly subscription: Subscription
  readonly customer: Customer
  readonly opened: OpenedPayment | null
}

/**
 * Subscribes a customer: at once where nothing is charged, else by a payment for which the
 * subscription waits. Refuses what createSubscription() and openPayment() refuse.
 * [subscriptions#pending]
 */
export async function subscribe(
  needs: SubscribeNeeds,
  scope: Scope,
  { request, purchase }: Subscribe,
): Promise<Subscribed> {
  const { firstCharge } = unlessRefused(await firstChargeOf(needs, scope, request))
  if (firstCharge === 0 && isBare(purchase)) {
    return { ...(await createSubscription(needs, scope, request)), opened: null }
  }
  const opened = await openPayment(needs, scope, { ...purchase, mayRenew: true, waits: true })
  const { customer, subscription } = opened
  if (subscription === null) throw new Error('A subscription that waits for its payment is none.')
  return { subscription, customer, opened }
}

/** Whether nothing is bought but the subscription, and nothing changes what it costs. */
function isBare({ request, paymentMethodId = null }: Subscribe['purchase']): boolean {
  const [first, ...others] = request.products
  const changesPrice = request.discountCodes.length > 0 || (first?.addons ?? []).length > 0
  if (request.onDemand !== null) return false
  return others.length === 0 && paymentMethodId === null && !changesPrice && request.taxId === null
}
