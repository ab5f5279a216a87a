import { isRecurring } from '../../../rules/commerce/catalog/price.ts'
import type { BroughtEntitlement } from '../../../rules/commerce/entitlements/granting.ts'
import { granted, movesOf } from '../../../rules/commerce/entitlements/granting.ts'
import { randomLicenseKey } from '../../../runtime/license-key.ts'
import { grantObjects } from '../../entitlements/grant-objects.ts'
import { broughtBy, writtenMoves } from '../../entitlements/written-moves.ts'
import type { Bringing } from './bringing.ts'

/**
 * The entitlements of what was bought: one grant for each, with license keys and files. Those of a
 * subscription are its own. [entitlements#grants]
 */
export const bringGrants: Bringing = async (needs, scope, { payment, outcome }) => {
  if (payment.purpose !== 'purchase' || outcome.status !== 'succeeded') return null
  const ids = payment.products.map(({ productId }) => productId)
  const products = await needs.products.many(scope, ids)
  const entitlementIds = [...products.values()].flatMap((product) => product.entitlementIds)
  if (entitlementIds.length === 0) return null
  const parts = await grantObjects(needs, scope, { grants: [], entitlementIds })
  return {
    entitlementIds: [],
    decide: ({ payment, at, newId }) => {
      const { brandId, customerId, paymentId, subscriptionId } = payment
      const purchase = { customerId, brandId, paymentId, metadata: {} }
      const moment = { at, newId, newKey: randomLicenseKey }
      const moves = movesOf([
        granted({ ...purchase, subscriptionId: null }, bought(false), moment),
        granted({ ...purchase, subscriptionId }, bought(true), moment),
      ])
      return writtenMoves(moves, parts)
    },
  }

  function bought(recurring: boolean): readonly BroughtEntitlement[] {
    return payment.products.flatMap(({ productId, quantity }) => {
      const product = products.get(productId)
      if (product === undefined || isRecurring(product.price) !== recurring) return []
      return broughtBy(product, parts).map((entitlement) => ({ entitlement, productId, quantity }))
    })
  }
}
