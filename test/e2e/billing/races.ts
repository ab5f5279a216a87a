import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { at } from '../here.ts'
import { subscriber } from '../plan.ts'

it('an account adds up, whoever changes it at the same time', async () => {
  const one = await subscriber(at, { meters: [{ aggregation: { type: 'sum', key: 'n' } }] })
  const base: `/${string}` = `/credit-entitlements/${one.creditId}/balances/${one.customerId}`
  let expected = 100
  const positions: string[] = []
  const adjust = async (type: 'credit' | 'debit', amount: number) => {
    const body = { amount: String(amount), entry_type: type }
    expect((await at.call(`POST ${base}/ledger-entries`, { body })).status).toBe(201)
    expected += type === 'credit' ? amount : -amount
  }
  const steps: readonly (() => Promise<unknown>)[] = [
    async () => {
      positions.push(await one.spend({ n: 2 }, { n: -0.5 }))
      expected -= 1.5
    },
    () => adjust('credit', 7.25),
    () => adjust('debit', 0.5),
    () => one.ledger(),
    () => one.balance(),
    async () => {
      const body = {
        billing: { country: 'DE' },
        customer: { customer_id: one.customerId },
        product_id: one.productId,
        quantity: 1,
      }
      expect((await at.call('POST /subscriptions', { body })).status).toBe(200)
      expected += 100
    },
  ]
  const caller = async (first: number) => {
    for (let step = 0; step < 12; step += 1) await steps[(first + step) % steps.length]?.()
  }
  await Promise.all(steps.map((_, first) => caller(first)))
  const balance = await one.balance(positions.slice(-20).join(','))
  expect(balance).toEqual({ balance: String(expected), overage: '0' })
  const ledger = await one.ledger()
  expect(ledger[0]?.balance_after).toBe(balance.balance)
  for (const [index, entry] of ledger.slice(1).entries()) {
    expect(ledger[index]?.balance_before).toBe(entry.balance_after)
  }
})

it('a grant that is due is no part of the balance, and debits pass it by', async () => {
  const one = await subscriber(at)
  const { balances } = at.client().creditEntitlements
  const path = { credit_entitlement_id: one.creditId }
  // So far ahead that the request arrives before it.
  const expires_at = new Date(Date.now() + 3_000).toISOString()
  const gift = { ...path, amount: '50', entry_type: 'credit' as const, expires_at }
  const { grant_id: id } = await balances.createLedgerEntry(one.customerId, gift)
  await sleep(Math.max(0, Date.parse(expires_at) - Date.now()) + 50)
  expect((await one.balance()).balance).toBe('100')
  const expired = await balances.listGrants(one.customerId, { ...path, status: 'expired' })
  expect(expired.items).toMatchObject([{ id, is_expired: true, expires_at: expect.any(String) }])
  const active = await balances.listGrants(one.customerId, { ...path, status: 'active' })
  expect(active.items).toHaveLength(1)
  const debit = (amount: string) =>
    balances.createLedgerEntry(one.customerId, { ...path, amount, entry_type: 'debit' })
  await expect(debit('100.01')).rejects.toMatchObject({ status: 400 })
  await debit('100')
  expect((await one.balance()).balance).toBe('0')
})
