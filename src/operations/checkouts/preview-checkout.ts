import type { Scope } from '../../parts/store/scope.ts'
import { isRecurring } from '../../rules/commerce/catalog/price.ts'
import type { ProductParts } from '../../rules/commerce/catalog/product.ts'
import type { PricedCart } from '../../rules/commerce/payments/cart.ts'
import type { CheckoutRequest } from '../../rules/commerce/payments/checkout-session.ts'
import type { PurchasedProduct } from '../../rules/commerce/payments/payment.ts'
import type { Started } from '../../rules/commerce/subscriptions/start.ts'
import { startSubscription } from '../../rules/commerce/subscriptions/start.ts'
import { isRejection } from '../../rules/commerce/subscriptions/subscription-rejection.ts'
import type { Instant } from '../../std/instant.ts'
import type { PurchasedNeeds } from '../payments/payment-needs.ts'
import type { ProductPartsNeeds } from '../products/product-parts.ts'
import { productParts } from '../products/product-parts.ts'
import { pricedRequest } from './priced-request.ts'

/** A cart as it would be charged, with everything that it names. */
export interface PreviewedCheckout extends ProductParts {
  readonly cart: PricedCart
  readonly products: readonly PurchasedProduct[]
  /** Where the customer is, as far as that was told; null: it was not. */
  readonly country: string | null
  /** What the subscription of the cart begins with; null: there is none. */
  readonly started: Started | null
}

/** What a session would charge; stores nothing. Refuses what creation refuses. */
export async function previewCheckout(
  needs: PurchasedNeeds & ProductPartsNeeds,
  scope: Scope,
  { request, at }: { readonly request: CheckoutRequest; readonly at: Instant },
): Promise<PreviewedCheckout> {
  const { cart, parts } = await pricedRequest(needs, scope, { request, at })
  const named = await productParts(needs, scope, [...parts.products.values()])
  const item = request.products.find(({ productId }) => {
    const product = parts.products.get(productId)
    return product !== undefined && isRecurring(product.price)
  })
  const product = item === undefined ? undefined : parts.products.get(item.productId)
  const started =
    item === undefined || product === undefined
      ? null
      : startSubscription({ ...item, product, entitlements: parts.entitlements, at })
  return {
    ...named,
    cart,
    products: request.products,
    country: request.billing?.country ?? null,
    started: started === null || isRejection(started) ? null : started,
  }
}
