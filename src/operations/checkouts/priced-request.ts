import { refuse, unlessRefused } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { PricedCart } from '../../rules/commerce/payments/cart.ts'
import { pricedCart } from '../../rules/commerce/payments/cart.ts'
import type { CheckoutRequest } from '../../rules/commerce/payments/checkout-session.ts'
import type { PurchasedObjects } from '../../rules/commerce/payments/purchase.ts'
import { deliverableRejection } from '../../rules/commerce/payments/purchase.ts'
import type { Instant } from '../../std/instant.ts'
import type { PurchasedNeeds } from '../payments/payment-needs.ts'
import { purchaseParts } from '../payments/payment-needs.ts'

export interface PricedRequest {
  readonly cart: PricedCart
  readonly parts: PurchasedObjects
}

/**
 * What a request would be charged now. Preview, creation and payment price by this one function,
 * and so refuse alike: 404 an unknown product; 410 an archived one, or a deleted credit
 * entitlement; 422 a cart that cannot be paid in one go. [resources#checkout-sessions]
 */
export async function pricedRequest(
  needs: PurchasedNeeds,
  scope: Scope,
  { request, at }: { readonly request: CheckoutRequest; readonly at: Instant },
): Promise<PricedRequest> {
  const parts = await purchaseParts(needs, scope, request.products)
  const cart = unlessRefused(pricedCart(request.products, parts.products))
  refuse(deliverableRejection(request, parts, at))
  refuse(metadataRejection(request.metadata))
  return { cart, parts }
}
