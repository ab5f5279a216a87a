import assert from 'node:assert/strict'
import { orNotFound, refuse, unlessRefused } from '../../faults.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Subscriptions } from '../../parts/store/subscriptions.ts'
import { archivedRejection } from '../../rules/commerce/catalog/product-change.ts'
import type { PurchasedProduct } from '../../rules/commerce/payments/payment.ts'
import { startSubscription } from '../../rules/commerce/subscriptions/start.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import { after } from '../../std/instant.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import type { OpenedPayment, OpeningPayment } from '../payments/open-payment.ts'
import { openPayment } from '../payments/open-payment.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'
import type { PricingNeeds } from '../payments/priced-purchase.ts'
import { entitlementsOf } from './entitlements-of.ts'

export interface SubscribingNeeds extends DueFirstNeeds {
  readonly customers: Customers
  readonly products: Products
  readonly creditEntitlements: CreditEntitlements
  readonly subscriptions: Subscriptions
}

export interface SubscribeNeeds extends SubscribingNeeds, PaymentNeeds, PricingNeeds {
  readonly clock: SubscribingNeeds['clock']
}

/** The subscription as it was made, and its first payment. */
export interface Subscribed extends OpenedPayment {
  readonly subscription: Subscription
}

/**
 * Subscribes a customer by a payment for which the subscription waits. One of 0 is paid at once,
 * and the subscription begins with it. Refuses: 404 an unknown customer or product; 410 an archived
 * product; 422 a product that is no subscription; and what openPayment() refuses.
 * [subscriptions#pending, subscriptions#cycles]
 */
export async function subscribe(
  needs: SubscribeNeeds,
  scope: Scope,
  purchase: Pick<OpeningPayment, 'request' | 'linkTo' | 'paymentMethodId'>,
): Promise<Subscribed> {
  const [plan] = purchase.request.products
  assert(plan !== undefined, 'a subscription is bought with its product first')
  await refuseWhatCannotStart(needs, scope, plan)
  const opened = await openPayment(needs, scope, { ...purchase, mayRenew: true, waits: true })
  const { subscription } = opened
  assert(subscription !== null)
  return { ...opened, subscription }
}

async function refuseWhatCannotStart(
  needs: SubscribingNeeds,
  scope: Scope,
  { productId, quantity, trialPeriodDays }: PurchasedProduct,
): Promise<void> {
  const product = orNotFound(await needs.products.get(scope, productId), 'product', productId)
  refuse(archivedRejection(product))
  const entitlements = await entitlementsOf(needs.creditEntitlements, scope, product)
  const at = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  const start = { addons: [], product, entitlements, quantity, trialPeriodDays, at }
  unlessRefused(startSubscription(start))
}
