import type DodoPayments from 'dodopayments'
import type { Subscriber } from './plan.ts'
import { fresh, subscriber } from './plan.ts'
import { shopper } from './shopper.ts'
import type { World } from './world.ts'

/** A subscriber whose subscription has a card, which has charged nothing yet. */
export async function withCard(
  at: Pick<World, 'client' | 'url'>,
  card: string,
): Promise<Subscriber> {
  const one = await subscriber(at)
  const session = await at.client().checkoutSessions.create({
    product_cart: [{ product_id: one.productId, quantity: 1 }],
    customer: { customer_id: one.customerId },
    return_url: 'https://shop.example/',
  })
  const paid = await shopper(at).pay(session.session_id, card)
  const subscriptionId = new URL(paid.location ?? '').searchParams.get('subscription_id') ?? ''
  return { ...one, subscriptionId }
}

/** The same product for 900 a cycle. */
export async function dearer(at: Pick<World, 'client'>, productId: string) {
  const { price } = await at.client().products.retrieve(productId)
  return at.client().products.create({
    name: fresh('dear'),
    tax_category: 'saas',
    price: { ...price, fixed_price: 900, meters: [] } as DodoPayments.Price,
  })
}
