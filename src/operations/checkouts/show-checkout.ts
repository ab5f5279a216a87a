import { orNotFound } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { PricedCart } from '../../rules/commerce/payments/cart.ts'
import type { CheckoutSession } from '../../rules/commerce/payments/checkout-session.ts'
import { stateOfSession } from '../../rules/commerce/payments/checkout-session.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import { after } from '../../std/instant.ts'
import type { PayCheckoutNeeds } from './pay-checkout.ts'
import { pricedRequest } from './priced-request.ts'
import { readCheckout } from './read-checkout.ts'

/** Everything that the pages of a session show. */
export interface ShownCheckout {
  readonly scope: Scope
  readonly session: CheckoutSession
  readonly state: ReturnType<typeof stateOfSession>
  /** The latest attempt. */
  readonly payment: Payment | null
  readonly customer: Customer | null
  /** Whether the session was told the customer by id. */
  readonly isNamed: boolean
  readonly subscription: Subscription | null
  readonly cart: PricedCart
}

/**
 * For people, who have no key: the id of the session is what lets them in. 404 for an unknown one.
 */
export async function showCheckout(
  needs: PayCheckoutNeeds,
  mode: Mode,
  sessionId: string,
): Promise<ShownCheckout> {
  const found = await needs.sessions.find(mode, sessionId)
  const { businessId } = orNotFound(found, 'checkout session', sessionId)
  const scope = { businessId, mode }
  const { customer, payment, session } = await readCheckout(needs, scope, sessionId)
  const at = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  const { request } = session
  const state = stateOfSession(session, payment, at)
  const { cart } = await pricedRequest(needs, scope, { request, at })
  const subscriptionId = payment?.subscriptionId ?? null
  return {
    cart,
    customer,
    payment,
    scope,
    session,
    state,
    isNamed: request.customer !== null && 'id' in request.customer,
    subscription:
      subscriptionId === null ? null : await needs.subscriptions.find(scope, subscriptionId),
  }
}
