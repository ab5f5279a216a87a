import { setTimeout as sleep } from 'node:timers/promises'
import type { Api, Json } from '../api.ts'
import type { Random } from '../random.ts'
import type { HeldPaper } from './papers.ts'
import { keepsPaper } from './papers.ts'

/** What somebody at the API was told for certain. */
export interface Told {
  /** Sessions of which the page has said that they are paid. */
  readonly paid: Set<string>
  readonly sessions: Set<string>
  /** Refunds that were answered, with their amounts. */
  readonly refunds: Map<string, number>
  /** Papers that were handed out, by their paths. */
  readonly papers: Map<string, HeldPaper>
  /** Calls and pages that were not answered. */
  unanswered: number
}

export interface Market {
  readonly api: Api
  readonly url: () => string
  readonly customerIds: readonly string[]
  readonly productId: string
}

/** Pay; are disputed at once; decline; are slow; do not answer. */
const cards = [
  ...['4242424242424242', '4242424242424242', '4242424242424242'],
  ...['4000000000000259', '4000000000009995', '4000000000007015', '4000000000007049'],
]

/** Buyers who pay on the page and have refunded what they bought, until they are told to stop. */
export function startBuyers(market: Market, told: Told, random: Random) {
  let stopping = false
  const all = market.customerIds.map((customerId) =>
    buys({ ...market, customerId }, told, random.stream(customerId)),
  )
  return {
    async stop() {
      stopping = true
      await Promise.all(all)
    },
  }

  async function buys(at: Buyer, told: Told, random: Random): Promise<void> {
    while (!stopping) {
      const payment = await pays(at, told, random)
      if (payment !== null && random.chance(0.1)) {
        await keepsPaper(at.api, told.papers, `/invoices/payments/${String(payment['payment_id'])}`)
      }
      if (payment !== null && random.chance(0.6)) await refunds(at, told, { payment, random })
      await sleep(random.between(0, 60))
    }
  }
}

type Buyer = Market & { readonly customerId: string }

/** The payment; null: it has not succeeded. */
async function pays(at: Buyer, told: Told, random: Random): Promise<Json | null> {
  const { api, customerId, productId } = at
  const quantity = 1 + random.below(3)
  const session = await api.made('/checkouts', {
    product_cart: [{ product_id: productId, quantity }],
    customer: { customer_id: customerId },
    return_url: 'https://shop.example/',
  })
  const id = String(session['session_id'])
  told.sessions.add(id)
  const card = random.pick(cards)
  // Somebody who sees nothing presses the button again, and several do so twice at once.
  for (let tries = 0; tries < 4; tries += 1) {
    const presses = random.chance(0.2) ? 2 : 1
    const seen = await Promise.all(Array.from({ length: presses }, () => press(at, id, card)))
    told.unanswered += seen.filter((each) => each === null).length
    const back = seen.find((each) => each !== null && each.status === 303)
    const paymentId = new URL(back?.location ?? 'http://x/').searchParams.get('payment_id')
    if (paymentId !== null && back?.location?.includes('status=succeeded') === true) {
      told.paid.add(id)
      return api.got(`/payments/${paymentId}`)
    }
    if (seen.some((each) => each !== null && each.status < 500)) break
    await sleep(150)
  }
  // A page that says that there is nothing to pay any more: its answer was lost.
  const { payment_id: lost } = await api.got(`/checkouts/${id}`)
  const payment = lost === null ? null : await api.got(`/payments/${String(lost)}`)
  return payment?.['status'] === 'succeeded' ? payment : null
}

/** Null: there was no answer, and it may have been charged or not. */
async function press(at: Buyer, sessionId: string, card: string) {
  const form = { email: 'b@example.com', name: 'B', country: 'DE', zipcode: '10115' }
  const body = new URLSearchParams({
    ...form,
    card_number: card,
    card_expiry: '12/39',
    card_cvc: '123',
  })
  try {
    const answer = await fetch(`${at.url()}/checkout/${sessionId}/pay`, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(6_000),
    })
    await answer.arrayBuffer()
    return { status: answer.status, location: answer.headers.get('location') }
  } catch {
    return null
  }
}

/** A part or all of it, asked for once more with the same key where there was no answer. */
async function refunds(
  { api, productId }: Buyer,
  told: Told,
  { payment, random }: { readonly payment: Json; readonly random: Random },
): Promise<void> {
  const amount = 1 + random.below(Number(payment['total_amount']))
  const items = random.chance(0.5) ? [{ item_id: productId, amount }] : null
  const body = { payment_id: payment['payment_id'], items }
  for (let tries = 0; tries < 3; tries += 1) {
    const call = { method: 'POST', path: '/refunds', body, key: 'once' } as const
    const answer = await api.once(call).catch(() => null)
    if (answer === null || answer.status >= 500) {
      told.unanswered += 1
      await sleep(150)
      continue
    }
    const { refund_id: id, amount } = answer.body
    if (answer.status !== 200) return
    told.refunds.set(String(id), Number(amount))
    if (random.chance(0.1)) {
      await keepsPaper(api, told.papers, `/invoices/refunds/${String(id)}`)
    }
    return
  }
}
