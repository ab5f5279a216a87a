import { isRecurring } from '../../../rules/commerce/catalog/price.ts'
import {
  newSavedMethod,
  sameMethod,
  usedMethod,
} from '../../../rules/commerce/payments/saved-method.ts'
import type { PaymentNeeds } from '../payment-needs.ts'
import type { Bringing } from './bringing.ts'

/**
 * The way that paid: one that later charges of a subscription will use is kept with its customer,
 * and a kept one was used. [payments#saved-methods]
 */
export const bringSavedMethod: Bringing = async (needs, scope, { payment, outcome }) => {
  const { card, customerId, paymentMethodId, token } = payment
  if (outcome.status !== 'succeeded' || token === null || card === null) return null
  const kept = await keptMethod(needs, scope, payment)
  if (kept !== null) {
    return {
      entitlementIds: [],
      decide: ({ payment, at }) => ({
        payment: { ...payment, paymentMethodId: kept.paymentMethodId },
        rows: [{ noun: 'payment_method', expected: kept.version, row: usedMethod(kept, at) }],
      }),
    }
  }
  if (paymentMethodId !== null || !(await isForLater(needs, scope, payment))) return null
  return {
    entitlementIds: [],
    decide: ({ payment, at, newId }) => {
      const row = newSavedMethod(newId, { customerId, token, card }, at)
      return {
        payment: { ...payment, paymentMethodId: row.paymentMethodId },
        rows: [{ noun: 'payment_method', expected: null, row }],
      }
    },
  }
}

type Heard = Parameters<Bringing>[2]['payment']
type Scope = Parameters<Bringing>[1]

/** The method that was charged, or the customer's own for the same card. */
async function keptMethod({ paymentMethods }: PaymentNeeds, scope: Scope, payment: Heard) {
  const { card, customerId, paymentMethodId, token } = payment
  if (paymentMethodId !== null) return paymentMethods.get(scope, paymentMethodId)
  if (token === null || card === null) return null
  return sameMethod(await paymentMethods.ofCustomer(scope, customerId), { token, card })
}

/** Whether somebody will charge it again: what was bought is a subscription. */
async function isForLater(
  { products }: PaymentNeeds,
  scope: Scope,
  payment: Heard,
): Promise<boolean> {
  const ids = payment.products.map(({ productId }) => productId)
  const bought = await products.many(scope, ids)
  return [...bought.values()].some(({ price }) => isRecurring(price))
}
