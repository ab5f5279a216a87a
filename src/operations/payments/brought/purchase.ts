import type { RowChange } from '../../../parts/store/changes.ts'
import type { CheckoutSession } from '../../../rules/commerce/payments/checkout-session.ts'
import { bought } from '../../../rules/commerce/payments/purchase.ts'
import type { Instant } from '../../../std/instant.ts'
import { tellingOfNew } from '../../subscriptions/telling.ts'
import { purchaseParts } from '../payment-needs.ts'
import type { Bringing } from './bringing.ts'
import { isPendingFor } from './pending-subscription.ts'

/**
 * The purchase that a payment pays: its session is completed, and the customer gets the credits and
 * the subscription. [payments#one-way-to-be-paid]
 */
export const bringPurchase: Bringing = async (needs, scope, { payment, customer, outcome }) => {
  if (payment.purpose !== 'purchase' || outcome.status !== 'succeeded') return null
  const { products, sessionId } = payment
  const session = sessionId === null ? null : await needs.sessions.get(scope, sessionId)
  const parts = await purchaseParts(needs, scope, products)
  const telling = await tellingOfNew(needs, scope, { customer, parts })
  const { subscriptionId: id } = payment
  const found = id === null ? null : await needs.subscriptions.find(scope, id)
  const waiting = isPendingFor(payment.paymentId, found) ? found : null
  return {
    entitlementIds: [...parts.entitlements.keys()],
    decide: ({ payment, at, newId }) => {
      const { commands, subscription } = bought(payment, parts, { at, newId, waiting })
      const started: readonly RowChange[] =
        subscription === null
          ? []
          : [
              {
                noun: 'subscription',
                expected: waiting?.version ?? null,
                row: subscription,
                over: [],
              },
            ]
      return {
        payment: {
          ...payment,
          subscriptionId: subscription?.subscriptionId ?? payment.subscriptionId,
        },
        commands,
        rows: [...(session === null ? [] : [completed(session, at)]), ...started],
        tell: (accounts) =>
          subscription === null
            ? []
            : telling({
                before: waiting,
                after: subscription,
                happened: ['renewed'],
                accounts,
                at,
              }),
      }
    },
  }
}

const completed = (session: CheckoutSession, at: Instant): RowChange => ({
  noun: 'checkout_session',
  expected: session.version,
  row: { ...session, completedAt: at, version: session.version + 1 },
})
