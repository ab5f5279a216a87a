import { expect } from 'vitest'
import { onceMeasured } from '../once-measured.ts'
import type { World } from '../world.ts'
import type { Person } from './person.ts'
import { stands, sum } from './person.ts'
import { dollars } from './script.ts'
import type { StoryShop } from './shop.ts'

/**
 * Counts the whole business from what the API lists, each thing by itself, and holds it against the
 * two kinds of ledgers: to the cent and to the credit. Answers it as the story says it.
 */
export async function booksOf(
  at: Pick<World, 'businessId' | 'client' | 'sluice'>,
  shop: StoryShop,
  people: readonly Person[],
): Promise<string> {
  const client = at.client()
  const page = { page_number: 0, page_size: 100 }
  const paid = await all(client.payments.list({ ...page, status: 'succeeded' }))
  const charged = await Promise.all(
    paid.map(async ({ payment_id }) => {
      const { settlement_amount, total_amount } = await client.payments.retrieve(payment_id)
      return { charged: settlement_amount, wallet: total_amount - settlement_amount }
    }),
  )
  const money = {
    payments: sum(charged.map((each) => each.charged)),
    wallets: sum(charged.map((each) => each.wallet)),
    refunds: sum((await all(client.refunds.list(page))).map(({ amount }) => amount ?? 0)),
    disputes: sum(
      (await all(client.disputes.list(page)))
        .filter(stands)
        .map(({ amount }) => Math.round(Number(amount) * 100)),
    ),
    payouts: sum((await all(client.payouts.list(page))).map(({ amount }) => amount)),
  }
  const left = money.payments - money.refunds - money.disputes - money.payouts
  await closes(left)
  for (const one of people) await creditsClose(one)
  await at.sluice('verify', '--business', at.businessId)
  const parts = Object.entries({ ...money, left })
  return parts.map(([name, amount]) => `${name} ${dollars(amount)}`).join(', ')

  /** The ledger of the money is a chain without a break that ends at what is left. */
  async function closes(left: number): Promise<void> {
    const entries = (await all(client.balances.retrieveLedger(page))).toReversed()
    let balance = 0
    for (const { after_balance, amount, before_balance, is_credit } of entries) {
      expect(before_balance).toBe(balance)
      balance += is_credit ? amount : -amount
      expect(after_balance).toBe(balance)
    }
    expect(balance).toBe(left)
  }

  /** The ledger of a customer's credits, the grants behind it, and what the API says is left. */
  async function creditsClose({ credits, customerId }: Person): Promise<void> {
    const path = { ...page, credit_entitlement_id: shop.creditId }
    const { balances } = client.creditEntitlements
    const entries = await onceMeasured(() => all(balances.listLedger(customerId, path)))
    let balance = 0
    for (const entry of entries.toReversed()) {
      expect(Number(entry.balance_before)).toBe(balance)
      balance = Number(entry.balance_after)
    }
    const grants = await all(balances.listGrants(customerId, path))
    expect(sum(grants.map(({ remaining_amount }) => Number(remaining_amount)))).toBe(balance)
    expect(await credits()).toBe(balance)
  }
}

async function all<T>(pages: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const each of pages) found.push(each)
  return found
}
