import type { Scope } from '../../parts/store/scope.ts'
import type { Product, ProductParts } from '../../rules/commerce/catalog/product.ts'
import type { PricedCart } from '../../rules/commerce/payments/cart.ts'
import type { CheckoutRequest } from '../../rules/commerce/payments/checkout-session.ts'
import { buyerOf, nothingEntered } from '../../rules/commerce/payments/payer.ts'
import type { PurchasedProduct } from '../../rules/commerce/payments/payment.ts'
import type { PurchaseTotals } from '../../rules/commerce/payments/priced-lines.ts'
import { renewalCart } from '../../rules/commerce/payments/renewal-cart.ts'
import type { JudgedTaxId } from '../../rules/commerce/payments/sale-place.ts'
import { judgedTaxId, salePlace } from '../../rules/commerce/payments/sale-place.ts'
import type { Started } from '../../rules/commerce/subscriptions/start.ts'
import { startSubscription } from '../../rules/commerce/subscriptions/start.ts'
import { isRejection } from '../../rules/commerce/subscriptions/subscription-rejection.ts'
import type { Instant } from '../../std/instant.ts'
import type { ProductPartsNeeds } from '../products/product-parts.ts'
import { productParts } from '../products/product-parts.ts'
import type { OfferNeeds } from './offered.ts'
import type { PricedRequest, RequestNeeds } from './priced-request.ts'
import { pricedOffer, refuseWrongTaxId } from './priced-request.ts'

/** A cart as it would be charged, with everything that it names. */
export interface PreviewedCheckout extends ProductParts {
  readonly cart: PricedCart
  readonly products: readonly PurchasedProduct[]
  /** The products as they are, whatever they cost in this place. */
  readonly sold: ReadonlyMap<string, Product>
  /** Where the customer is, as far as that was told; null: it was not. */
  readonly country: string | null
  readonly taxId: JudgedTaxId
  /** What the subscription of the cart begins with; null: there is none. */
  readonly started: Started | null
  /** What its first renewal charges. */
  readonly renewal: PurchaseTotals | null
}

/** What a session would charge; stores nothing. Refuses what creation refuses. */
export async function previewCheckout(
  needs: RequestNeeds & OfferNeeds & Omit<ProductPartsNeeds, 'addons'>,
  scope: Scope,
  { at, ...asked }: { readonly request: CheckoutRequest; readonly at: Instant },
): Promise<PreviewedCheckout> {
  const { request, ...priced } = await pricedOffer(needs, scope, { ...asked, at })
  refuseWrongTaxId(request)
  const { products: sold } = priced.parts
  const named = await productParts(needs, scope, [...sold.values()])
  const { billing, taxId } = request
  return {
    ...named,
    ...subscribed(request, priced, at),
    cart: priced.cart,
    products: request.products,
    sold,
    country: billing?.country ?? null,
    taxId: judgedTaxId(salePlace(billing, taxId)),
  }
}

/** The subscription that would start, and what renews it. */
function subscribed(
  request: CheckoutRequest,
  { cart, parts, taxes }: PricedRequest,
  at: Instant,
): Pick<PreviewedCheckout, 'renewal' | 'started'> {
  const { agreed, lines } = cart
  const line = lines.find(({ addon, product }) => addon === null && product.price === agreed?.price)
  if (agreed === null || line === undefined) return { renewal: null, started: null }
  const { product, quantity } = line
  const { addons, discounts, onDemand } = agreed
  const item = request.products.find(({ productId }) => productId === product.productId)
  const { entitlements } = parts
  const trialPeriodDays = item?.trialPeriodDays ?? null
  const start = { addons, product, entitlements, quantity, trialPeriodDays, at }
  const started = startSubscription(start)
  if (isRejection(started)) return { renewal: null, started: null }
  // Nobody knows what it will be charged, nor when.
  if (onDemand) return { renewal: null, started }
  const place = buyerOf(request, nothingEntered)
  const none = { city: null, street: null, zipcode: null }
  const renewal = renewalCart({
    subscription: {
      addons,
      billing: { ...none, country: place.country ?? '', state: place.region },
      currency: started.currency,
      discounts,
      owed: 0,
      productId: product.productId,
      recurringPreTaxAmount: started.recurringPreTaxAmount,
      taxId: place.taxId,
      taxInclusive: started.taxInclusive,
    },
    product,
    taxes,
    usage: [],
  })
  return { renewal, started }
}
