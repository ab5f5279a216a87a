import DodoPayments from 'dodopayments'
import { beforeAll, describe, expect, it } from 'vitest'
import { at } from '../here.ts'

let client: DodoPayments
beforeAll(() => {
  client = at.client()
})

const ten = { amount: 1_000, currency: 'USD', entry_type: 'credit' } as const

describe('wallets, by the public client', () => {
  it('take money and give it back, once for an idempotency key', async () => {
    const { customer_id: id } = await client.customers.create({ email: 'w@example.com', name: 'W' })
    const { wallets } = client.customers
    const [dollars, rupees] = (await wallets.list(id)).items
    expect([dollars?.balance, rupees?.balance, rupees?.currency]).toEqual([0, 0, 'INR'])
    const put = { ...ten, idempotency_key: 'one', reason: 'sorry' }
    const wallet = await wallets.ledgerEntries.create(id, put)
    expect(wallet).toMatchObject({ customer_id: id, currency: 'USD', balance: 1_000 })
    expect(await wallets.ledgerEntries.create(id, put)).toEqual(wallet)
    const taken = await wallets.ledgerEntries.create(id, {
      ...ten,
      entry_type: 'debit',
      amount: 400,
    })
    expect(taken.balance).toBe(600)
    const short = wallets.ledgerEntries.create(id, { ...ten, entry_type: 'debit', amount: 601 })
    await expect(short).rejects.toThrow(DodoPayments.BadRequestError)
    const reused = wallets.ledgerEntries.create(id, { ...put, amount: 1 })
    await expect(reused).rejects.toThrow(DodoPayments.ConflictError)

    expect(await wallets.list(id)).toEqual({ items: [taken, rupees], total_balance_usd: 600 })
    const { items } = await wallets.ledgerEntries.list(id, { currency: 'USD', page_number: 0 })
    expect(items.map((entry) => [entry.before_balance, entry.after_balance])).toEqual([
      [1_000, 600],
      [0, 1_000],
    ])
    expect(items[1]).toMatchObject({ reason: 'sorry', event_type: 'merchant_adjustment' })
    expect((await wallets.ledgerEntries.list(id, { currency: 'INR' })).items).toEqual([])
  })
})
