import { newDispute } from '../../../rules/commerce/disputes/new-dispute.ts'
import { nothingGivenBack } from '../../../rules/commerce/payments/given-back.ts'
import { openedDispute } from '../../disputes/opened-dispute.ts'
import type { Bringing } from './bringing.ts'

/** The dispute of a payment that its bank disputes as soon as it is paid. [refunds#disputes] */
export const bringDispute: Bringing = async (needs, scope, { customer, outcome, payment }) => {
  if (outcome.status !== 'succeeded' || payment.token === null) return null
  if (!needs.processors[scope.mode].disputesAtOnce(payment.token)) return null
  const fees = await needs.charges.fees(scope.businessId)
  const { rapidUpTo } = needs
  return {
    entitlementIds: [],
    decide: ({ at, newId, payment }) => {
      const given = { ...nothingGivenBack, disputes: [] }
      const wanted = { amount: null, reason: 'fraudulent', stage: 'dispute' } as const
      const made = newDispute(newId, { ...wanted, payment, given, at })
      if ('problem' in made) return {}
      const opened = openedDispute(made, { customer, fees, rapidUpTo, newId })
      const { dispute, facts, rows } = opened
      return { payment: { ...payment, disputeStatus: dispute.status }, facts, rows }
    },
  }
}
