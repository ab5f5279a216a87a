import type { CheckoutSession } from '../../rules/commerce/payments/checkout-session.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Scope } from './scope.ts'

export interface CheckoutSessions {
  get(scope: Scope, sessionId: string): Promise<CheckoutSession | null>

  /** The session by which a subscription was bought; null: it was begun otherwise. */
  ofSubscription(scope: Scope, subscriptionId: string): Promise<CheckoutSession | null>

  /** The session of this id and its business; for pages, whose caller has no key. */
  find(mode: Mode, sessionId: string): Promise<FoundSession | null>
}

export type FoundSession = Scope & { readonly session: CheckoutSession }
