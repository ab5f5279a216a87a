import type DodoPayments from 'dodopayments'
import { fresh } from './plan.ts'
import type { World } from './world.ts'

let people = 0

/** Somebody at the checkout page: a browser without scripts, with an address of its own. */
export function shopper(at: Pick<World, 'url'>) {
  people += 1
  const address = `10.1.${Math.trunc(people / 250)}.${people % 250}`
  return { visit, send, pay }

  function visit(path: string, headers: Readonly<Record<string, string>> = {}) {
    return browse(path, { headers })
  }

  function send(path: string, fields: Readonly<Record<string, string>>) {
    const body = new URLSearchParams(fields).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return browse(path, { method: 'POST', body, headers })
  }

  /** Pays with a card of the sandbox; what is not named is entered as anybody would. */
  function pay(sessionId: string, card: string, fields: Readonly<Record<string, string>> = {}) {
    return send(`/checkout/${sessionId}/pay`, {
      email: 'ada@example.com',
      name: 'Ada',
      country: 'DE',
      zipcode: '10115',
      card_number: card,
      card_expiry: '12/39',
      card_cvc: '123',
      ...fields,
    })
  }

  async function browse(path: string, init: RequestInit) {
    const answer = await fetch(at.url() + path, {
      ...init,
      redirect: 'manual',
      headers: { 'X-Forwarded-For': address, ...init.headers },
    })
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      headers: answer.headers,
      text: await answer.text(),
    }
  }
}

/** A credit, and a product that brings 100 of it for 9.99 euros, once. */
export async function pack(at: Pick<World, 'client'>) {
  const client = at.client()
  const credit = await client.creditEntitlements.create({
    name: fresh('pack credits'),
    unit: 'credit',
    precision: 2,
    overage_enabled: false,
    rollover_enabled: false,
  })
  const product = await client.products.create({
    name: fresh('pack'),
    tax_category: 'saas',
    credit_entitlements: [{ credit_entitlement_id: credit.id, credits_amount: '100' }],
    price: {
      type: 'one_time_price',
      currency: 'EUR',
      price: 999,
      discount: 0,
      purchasing_power_parity: false,
    },
  })
  return { creditId: credit.id, productId: product.product_id }
}

/** A product of the buyer's own price, from 5 dollars or 90 yen on. */
export async function tip(at: Pick<World, 'client'>, suggested?: number): Promise<string> {
  const client = at.client()
  const { product_id: productId } = await client.products.create({
    name: fresh('Tip'),
    tax_category: 'edtech',
    price: {
      type: 'one_time_price',
      currency: 'USD',
      discount: 0,
      price: 500,
      pay_what_you_want: true,
      ...(suggested !== undefined && { suggested_price: suggested }),
    },
    pricing_mode: 'by_currency',
  })
  await client.products.localizedPrices.create(productId, { amount: 90, currency: 'JPY' })
  return productId
}

/** A plan of 20 euros a month with 100 credits. */
export async function monthly(at: Pick<World, 'client'>) {
  const client = at.client()
  const credit = await client.creditEntitlements.create({
    name: fresh('plan credits'),
    unit: 'credit',
    precision: 2,
    overage_enabled: false,
    rollover_enabled: false,
  })
  const product = await client.products.create({
    name: fresh('paid plan'),
    tax_category: 'saas',
    credit_entitlements: [{ credit_entitlement_id: credit.id, credits_amount: '100' }],
    price: {
      type: 'recurring_price',
      currency: 'EUR',
      price: 2000,
      discount: 0,
      payment_frequency_count: 1,
      payment_frequency_interval: 'Month',
      subscription_period_count: 1,
      subscription_period_interval: 'Year',
    },
  })
  return { creditId: credit.id, productId: product.product_id }
}

/** A session for so many of a product. */
export const checkout = (
  at: Pick<World, 'client'>,
  productId: string,
  more: Partial<DodoPayments.CheckoutSessionCreateParams> = {},
) =>
  at.client().checkoutSessions.create({
    product_cart: [{ product_id: productId, quantity: 1 }],
    customer: { email: `${fresh('buyer').replace(' ', '.')}@example.com` },
    ...more,
  })

export const pays = '4242 4242 4242 4242'

/** A payment of 9.99 euros for one pack that has succeeded. */
export async function onePaid(at: Pick<World, 'client' | 'url'>, card = pays) {
  const { creditId, productId } = await pack(at)
  const { session_id: sessionId } = await checkout(at, productId)
  await shopper(at).pay(sessionId, card)
  const { payment_id, customer } = await latestOf(at, sessionId)
  return { payment_id, creditId, productId, customerId: customer.customer_id }
}

/** A payout of all that was earned in euros, which has succeeded. */
export async function onePaidOut(at: Pick<World, 'businessId' | 'client' | 'sluice' | 'url'>) {
  await onePaid(at)
  const of = ['--business', at.businessId, '--mode', 'test', '--currency', 'EUR']
  const { amount, payout_id: id } = await at.sluice('payouts', 'create', ...of)
  await at.sluice('payouts', 'mark', String(id), 'success', '--remarks', 'by wire')
  return { id: String(id), amount: Number(amount) }
}

/** The latest payment of a session. */
export async function latestOf(at: Pick<World, 'client'>, sessionId: string) {
  const { payment_id: id } = await at.client().checkoutSessions.retrieve(sessionId)
  return at.client().payments.retrieve(id ?? '')
}

/** A card that a customer has saved by subscribing once more. */
export async function savedMethodOf(
  at: Pick<World, 'client' | 'url'>,
  of: { readonly customerId: string; readonly productId: string },
): Promise<string> {
  const { session_id: sessionId } = await at.client().checkoutSessions.create({
    product_cart: [{ product_id: of.productId, quantity: 1 }],
    customer: { customer_id: of.customerId },
  })
  await shopper(at).pay(sessionId, pays)
  const { items } = await at.client().customers.retrievePaymentMethods(of.customerId)
  return items[0]?.payment_method_id ?? ''
}

/** A subscription of 20 euros on demand, of which nothing but the card is taken at the start. */
export async function onDemandOf(at: Pick<World, 'client' | 'url'>, card = pays) {
  const { creditId, productId } = await monthly(at)
  const onDemand = { mandate_only: true }
  const { session_id: sessionId } = await checkout(at, productId, {
    subscription_data: { on_demand: onDemand },
  })
  await shopper(at).pay(sessionId, card)
  const { customer, subscription_id: subscriptionId } = await latestOf(at, sessionId)
  const of = { creditId, productId, sessionId, customerId: customer.customer_id }
  return { ...of, subscriptionId: subscriptionId ?? '' }
}
