import type { Money } from '../../money/money.ts'
import type { LocalizedPrice } from '../catalog/localized-price.ts'
import type { Product } from '../catalog/product.ts'
import { itemLines } from './cart-lines.ts'
import type { CheckoutRequest } from './checkout-session.ts'
import type { Market } from './localized.ts'
import { localized } from './localized.ts'
import type { WrongDetail } from './payer.ts'
import type { PurchasedProduct } from './payment.ts'

/** A product of a session's collection, and what one costs at once. */
export interface Offer {
  readonly product: Product
  readonly price: Money
}

/**
 * The request with the product that the buyer has chosen of the session's collection, or, before
 * that, the first that it shows. `offered` is empty where the session was told what is bought.
 * [payments#collections]
 */
export function requestOfOffer(
  request: CheckoutRequest,
  offered: readonly Product[],
  productId: string | null,
): { readonly request: CheckoutRequest; readonly wrong: readonly WrongDetail[] } {
  const [first] = offered
  if (first === undefined) return { request, wrong: [] }
  const chosen = offered.find((product) => product.productId === productId)
  const item = offeredItem(chosen ?? first, request)
  const isWrong = chosen === undefined && productId !== null
  return {
    request: { ...request, products: [item] },
    wrong: isWrong ? [{ field: 'product_id', problem: 'is not for sale here' }] : [],
  }
}

/** What each product of a collection costs in a market; what cannot be bought is left out. */
export function offersIn(
  offered: readonly Product[],
  of: {
    readonly prices: ReadonlyMap<string, readonly LocalizedPrice[]>
    readonly market: Market
    readonly request: CheckoutRequest
  },
): readonly Offer[] {
  return offered.flatMap((product) => {
    const sold = localized(product, of.prices.get(product.productId) ?? [], of.market)
    const item = offeredItem(sold, of.request)
    const made = itemLines(item, sold, { addons: new Map(), field: 'product_id', onDemand: null })
    const [line] = 'code' in made ? [] : made.lines
    return line === undefined
      ? []
      : [{ product, price: { amount: line.price, currency: line.currency } }]
  })
}

/** A product of the buyer's own price costs what is suggested, or the least, until they say. */
const offeredItem = (
  { productId }: Product,
  { trialPeriodDays }: CheckoutRequest,
): PurchasedProduct => ({
  productId,
  quantity: 1,
  amount: null,
  buyersAmount: { said: null },
  trialPeriodDays,
  addons: [],
  credits: {},
})
