import { isSettled } from '../../../rules/commerce/payments/payment.ts'
import { laterOf } from '../../../std/instant.ts'
import type { Bringing } from './bringing.ts'

/**
 * What a subscription on demand was charged: once it is known what became of it, the next charge
 * can come. Whatever that is, the subscription goes on. [subscriptions#on-demand]
 */
export const bringCharge: Bringing = async ({ subscriptions }, scope, { payment, outcome }) => {
  const { paymentId, purpose, subscriptionId } = payment
  if (purpose !== 'charge' || subscriptionId === null || !isSettled(outcome)) return null
  const before = await subscriptions.find(scope, subscriptionId)
  if (before?.charging !== paymentId) return null
  return {
    entitlementIds: [],
    decide: ({ at }) => {
      const updatedAt = laterOf(at, before.updatedAt)
      const row = { ...before, charging: null, version: before.version + 1, updatedAt }
      return { rows: [{ noun: 'subscription', expected: before.version, row, over: [] }] }
    },
  }
}
