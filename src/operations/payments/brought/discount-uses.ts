import { isSettled } from '../../../rules/commerce/payments/payment.ts'
import { settledUses } from '../discount-uses.ts'
import type { Bringing } from './bringing.ts'

/**
 * The uses of codes that the payment holds: with its success they count, with its failure others
 * may have them. [resources#redemption]
 */
export const bringDiscountUses: Bringing = async (_needs, _scope, { outcome, payment }) => {
  if (!payment.holdsUses || !isSettled(outcome)) return null
  return { entitlementIds: [], decide: (moment) => ({ rows: settledUses(moment.payment) }) }
}
