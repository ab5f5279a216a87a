import {
  isTakenForGood,
  revokedGrant,
} from '../../../rules/commerce/entitlements/entitlement-grant.ts'
import { grantObjects } from '../../entitlements/grant-objects.ts'
import { writtenMoves } from '../../entitlements/written-moves.ts'
import type { RefundNeeds } from '../refund-needs.ts'
import type { TakingBack } from './taking-back.ts'

/**
 * The grants that the payment has brought are revoked, once all of it went back; their keys are
 * disabled with its other keys. One that waits for its subscription does not come back, either.
 * [entitlements#revocation]
 */
export const takeBackGrants: TakingBack<RefundNeeds> = async (needs, scope, { paymentId }) => {
  const by = { paymentIds: [paymentId], subscriptionIds: [] }
  const brought = await needs.entitlementGrants.broughtBy(scope, by)
  const grants = brought.filter((grant) => !isTakenForGood(grant))
  if (grants.length === 0) return null
  const parts = await grantObjects(needs, scope, { grants })
  const known = { ...parts, keys: parts.keys.map((key) => ({ ...key, disabled: true })) }
  return {
    entitlementIds: [],
    decide: ({ at, payment }) => {
      if (payment.refundStatus !== 'full') return {}
      const moved = grants.map((was) => ({ was, grant: revokedGrant(was, 'refund', at) }))
      return writtenMoves({ grants: moved, keys: [] }, known)
    },
  }
}
