import type DodoPayments from 'dodopayments'
import { onceMeasured } from '../once-measured.ts'
import { ingest } from '../plan.ts'
import { shopper } from '../shopper.ts'
import type { World } from '../world.ts'
import { cents, dollars } from './script.ts'
import type { StoryShop } from './shop.ts'

type At = Pick<World, 'client' | 'sluice' | 'url'>

/** Cards by their last digits. */
const cards = ['4242424242424242', '4000000000000341', '4000000000000259', '4000000000000002']

/** Somebody in the story: what becomes of the business is done to it and seen of it by the API. */
export async function person(at: At, shop: StoryShop, name: string) {
  const client = at.client()
  const email = `${name.toLowerCase()}@story.example`
  const { customer_id: customerId } = await client.customers.create({ email, name })
  const mine = { customer_id: customerId, page_size: 100 }
  return { customerId, acts: acts(), state, credits }

  function acts() {
    return { buys, uses, changes, becomes, puts, refunds, disputes, moves }
  }

  async function buys(productName: string, digits: string): Promise<void> {
    const session = await client.checkoutSessions.create({
      product_cart: [{ product_id: named(shop.products, productName), quantity: 1 }],
      customer: { customer_id: customerId },
    })
    const card = cards.find((each) => each.endsWith(digits)) ?? ''
    await shopper(at).pay(session.session_id, card, { email })
  }

  /** Settled when it returns. */
  async function uses(n: string): Promise<void> {
    const event = { customer_id: customerId, event_name: shop.eventName, metadata: { n } }
    await credits({ 'Sluice-After': await ingest(at, [event]) })
  }

  async function changes(productName: string): Promise<void> {
    await client.subscriptions.changePlan(await subscriptionId(), {
      product_id: named(shop.products, productName),
      quantity: 1,
      proration_billing_mode: 'full_immediately',
    })
  }

  async function becomes(status: 'active' | 'cancelled' | 'paused'): Promise<void> {
    await client.subscriptions.update(await subscriptionId(), { status })
  }

  async function puts(amount: string): Promise<void> {
    const entry = { amount: cents(amount), currency: 'USD', entry_type: 'credit' } as const
    await client.customers.wallets.ledgerEntries.create(customerId, entry)
  }

  async function refunds(amount: string | null): Promise<void> {
    const { payment_id } = await latest()
    const { items } = await client.payments.retrieveLineItems(payment_id)
    const part = { item_id: items[0]?.items_id ?? '', amount: cents(amount ?? '0') }
    await client.refunds.create(amount === null ? { payment_id } : { payment_id, items: [part] })
  }

  async function disputes(amount: string | null): Promise<void> {
    const { payment_id: id } = await latest()
    const part = amount === null ? [] : ['--amount', String(cents(amount))]
    await at.sluice('disputes', 'open', id, ...part)
  }

  async function moves(to: string): Promise<void> {
    const { items } = await client.disputes.list(mine)
    const standing = items.find(({ dispute_status }) =>
      ['dispute_opened', 'dispute_challenged'].includes(dispute_status),
    )
    await at.sluice('disputes', 'move', standing?.dispute_id ?? '', to)
  }

  async function subscriptionId(): Promise<string> {
    const { items } = await client.subscriptions.list(mine)
    return items[0]?.subscription_id ?? ''
  }

  /** Of which something was charged, with the newest first. */
  async function latest() {
    const { items } = await client.payments.list({ ...mine, status: 'succeeded' })
    const payment = items.find(({ total_amount }) => total_amount > 0)
    if (payment === undefined) throw new Error(`${name} has paid nothing.`)
    return payment
  }

  async function credits(headers: Readonly<Record<string, string>> = {}): Promise<number> {
    const path = { credit_entitlement_id: shop.creditId }
    const { balances } = client.creditEntitlements
    return onceMeasured(async () => {
      const { balance } = await balances.retrieve(customerId, path, { headers })
      return Number(balance)
    })
  }

  /** As the story says it: the subscription, the money, and the credits. */
  async function state(): Promise<string> {
    const [subscriptions, payments, refunds, disputes] = await Promise.all([
      client.subscriptions.list(mine),
      client.payments.list({ ...mine, status: 'succeeded' }),
      client.refunds.list(mine),
      client.disputes.list(mine),
    ])
    const [subscription] = subscriptions.items
    const paid = sum(payments.items.map(({ total_amount }) => total_amount))
    const back = sum(refunds.items.map(({ amount }) => amount ?? 0))
    const disputed = sum(disputes.items.filter(stands).map(({ amount }) => cents(amount)))
    const balance = await onceMeasured(async () => {
      const all = await client.customers.listCreditEntitlements(customerId)
      return all.items[0]?.balance ?? '0'
    })
    return [
      ...(subscription === undefined ? [] : [subscription.status]),
      `paid ${dollars(paid)}`,
      ...(back === 0 ? [] : [`back ${dollars(back)}`]),
      ...(disputed === 0 ? [] : [`disputed ${dollars(disputed)}`]),
      `${balance} credits`,
    ].join(', ')
  }
}

export type Person = Awaited<ReturnType<typeof person>>

/** Whether a dispute holds its money: it is open, or was lost. */
export const stands = ({ dispute_status: status }: DodoPayments.DisputeListResponse): boolean =>
  status !== 'dispute_won' && status !== 'dispute_cancelled'

export const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0)

export function named(all: ReadonlyMap<string, string>, name: string): string {
  const id = all.get(name)
  if (id === undefined) throw new Error(`The story knows no ${name}.`)
  return id
}
