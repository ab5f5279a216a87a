import { isOver } from '../../../rules/commerce/subscriptions/subscription.ts'
import { laterOf } from '../../../std/instant.ts'
import { tellingOf } from '../../subscriptions/telling.ts'
import type { Bringing } from './bringing.ts'

/** The card that a payment of 0 has kept: its subscription is charged through it from then on. */
export const bringMethodUpdate: Bringing = async (needs, scope, { payment, outcome }) => {
  const { purpose, subscriptionId } = payment
  if (purpose !== 'method_update' || outcome.status !== 'succeeded') return null
  if (subscriptionId === null) return null
  const before = await needs.subscriptions.find(scope, subscriptionId)
  if (before === null || isOver(before)) return null
  const telling = await tellingOf(needs, scope, { subscription: before })
  return {
    entitlementIds: [],
    decide: ({ at, payment: { paymentMethodId } }) => {
      if (paymentMethodId === null) return {}
      const updatedAt = laterOf(at, before.updatedAt)
      const after = { ...before, paymentMethodId, version: before.version + 1, updatedAt }
      const happened = ['update_payment_method'] as const
      return {
        rows: [{ noun: 'subscription', expected: before.version, row: after, over: [] }],
        tell: (accounts) => telling({ before, after, happened, accounts, at: updatedAt }),
      }
    },
  }
}
