import { unpaid } from '../../../rules/commerce/subscriptions/pending.ts'
import type { Subscription } from '../../../rules/commerce/subscriptions/subscription.ts'
import { tellingOf } from '../../subscriptions/telling.ts'
import type { Bringing } from './bringing.ts'

/**
 * The subscription that waits for a payment which is not paid: it has failed, for good.
 * [subscriptions#pending]
 */
export const bringPendingSubscription: Bringing = async (needs, scope, { payment, outcome }) => {
  if (outcome.status !== 'failed' && outcome.status !== 'cancelled') return null
  const { subscriptionId } = payment
  if (subscriptionId === null) return null
  const pending = await needs.subscriptions.find(scope, subscriptionId)
  if (!isPendingFor(payment.paymentId, pending)) return null
  const telling = await tellingOf(needs, scope, { subscription: pending })
  return {
    entitlementIds: [],
    decide: ({ at }) => {
      const row = unpaid(pending, at)
      return {
        rows: [{ noun: 'subscription', expected: pending.version, row, over: [] }],
        tell: (accounts) => telling({ before: pending, after: row, happened: [], accounts, at }),
      }
    },
  }
}

/** Whether the subscription waits for this payment, its first. */
export const isPendingFor = (
  paymentId: string,
  subscription: Subscription | null,
): subscription is Subscription =>
  subscription?.status === 'pending' && subscription.paymentId === paymentId
