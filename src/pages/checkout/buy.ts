import { parseId } from '../../edge/http/path-id.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { pageRoute } from '../../edge/http/route.ts'
import { Fault } from '../../faults.ts'
import type { CreateCheckoutNeeds } from '../../operations/checkouts/create-checkout.ts'
import { createCheckout } from '../../operations/checkouts/create-checkout.ts'
import { pricedRequest } from '../../operations/checkouts/priced-request.ts'
import type { ProductOnSaleNeeds } from '../../operations/checkouts/product-on-sale.ts'
import { productOnSale } from '../../operations/checkouts/product-on-sale.ts'
import { pricesOf } from '../../operations/payments/priced-purchase.ts'
import { leastOfBuyer } from '../../rules/commerce/catalog/price.ts'
import { localized } from '../../rules/commerce/payments/localized.ts'
import { marketIn, staticCheckout } from '../../wire/static-checkout.ts'
import { seeOther } from './replies.ts'

export type BuyPageNeeds = Omit<CreateCheckoutNeeds, 'products'> &
  Omit<ProductOnSaleNeeds, 'products'> & {
    readonly products: CreateCheckoutNeeds['products'] & ProductOnSaleNeeds['products']
  }

/**
 * `GET /buy/{product_id}`: the static checkout of a product. Each visit makes a session and leads
 * to its page; a HEAD, which is a question about the address, makes none.
 * [payments#static-checkout]
 */
export function buyPage(needs: BuyPageNeeds): Route {
  return pageRoute('GET', '/buy/:product_id', buy)

  async function buy(request: Request): Promise<Reply> {
    const productId = parseId(request, 'product_id', 'product')
    const { scope, product, at } = await productOnSale(needs, request.mode, productId)
    const params = new Map(request.queried().map((name) => [name, request.query(name) ?? '']))
    const prices = (await pricesOf(needs, scope, [product])).get(productId) ?? []
    const { price } = localized(product, prices, marketIn(params))
    const sold = { productId, currency: price.currency, least: leastOfBuyer(price) }
    const asked = staticCheckout(sold, params)
    if ('problem' in asked) throw new Fault('INVALID_QUERY_PARAMS', asked.problem)
    if (request.method === 'HEAD') {
      await pricedRequest(needs, scope, { request: asked, at })
      return { status: 204 }
    }
    const { sessionId } = await createCheckout(needs, scope, { request: asked, at })
    return seeOther(`/checkout/${sessionId}`)
  }
}
