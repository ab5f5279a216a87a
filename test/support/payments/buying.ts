import { createCheckout } from '../../../src/operations/checkouts/create-checkout.ts'
import type { PayCheckoutNeeds } from '../../../src/operations/checkouts/pay-checkout.ts'
import { payCheckout } from '../../../src/operations/checkouts/pay-checkout.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { inherited } from '../../../src/rules/commerce/catalog/product.ts'
import type { Payment } from '../../../src/rules/commerce/payments/payment.ts'
import { item, onceFor, productOf } from '../../rules/commerce/payments/purchases.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import { january } from '../store/scratch-store.ts'
import { checkoutFor, payingWith } from './checkouts.ts'

/** A product that is bought once, and brings 100 credits where it has an entitlement. */
export async function soldOnce(
  store: ScratchStore,
  scope: Scope,
  { price = 999, entitlementId }: { readonly price?: number; readonly entitlementId?: string } = {},
): Promise<string> {
  const productId = store.newId('pdt')
  const creditEntitlements =
    entitlementId === undefined
      ? []
      : [
          {
            ...inherited,
            creditEntitlementId: entitlementId,
            creditsAmount: '100',
            mappingId: store.newId('cem'),
          },
        ]
  const row = productOf(productId, onceFor(price), { creditEntitlements })
  await store.changes.commit(rowAlone(scope, { noun: 'product', expected: null, row }))
  return productId
}

/** A business with fees of payments, refunds and payouts, and something that it sells. */
export async function sellerWithFees(store: ScratchStore) {
  const scope = await store.business()
  const fee = (kind: 'payment' | 'refund' | 'payout', basisPoints: number, fixed: number) =>
    ({ kind, currency: null, basisPoints, fixed }) as const
  const rows = [fee('payment', 1_000, 5), fee('refund', 0, 7), fee('payout', 100, 2)]
  const row = { businessId: scope.businessId, rows }
  await store.changes.commit(rowAlone(scope, { noun: 'fee_table', expected: null, row }))
  return { scope, products: [await soldOnce(store, scope)] }
}

/** Pays for one of each product with a card of the sandbox. */
export async function bought(
  needs: PayCheckoutNeeds,
  scope: Scope,
  {
    products,
    card = '4242424242424242',
  }: {
    readonly products: readonly string[]
    readonly card?: string
  },
): Promise<Payment> {
  const request = checkoutFor(products.map((productId) => item(productId)))
  const { sessionId } = await createCheckout(needs, scope, { request, at: january })
  const paid = await payCheckout(needs, scope.mode, payingWith(sessionId, card))
  if ('wrong' in paid) throw new Error(JSON.stringify(paid.wrong))
  return paid.payment
}
