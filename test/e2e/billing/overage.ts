import { expect, it } from 'vitest'
import { at } from '../here.ts'
import { subscriber } from '../plan.ts'

it.each([
  { terms: { overage_enabled: false }, balance: '0', overage: '0' },
  { terms: { overage_enabled: true }, balance: '0', overage: '50' },
  { terms: { overage_enabled: true, overage_limit: '20' }, balance: '0', overage: '20' },
])('goes into overage as far as $terms say', async ({ terms, balance, overage }) => {
  const one = await subscriber(at, {
    meters: [{ aggregation: { type: 'sum', key: 'n' } }],
    mapping: { ...terms, price_per_unit: '1', currency: 'USD' },
  })
  const position = await one.spend({ n: 150 })
  expect(await one.balance(position)).toEqual({ balance, overage })
  const usage = await at.client().subscriptions.retrieveCreditUsage(one.subscriptionId)
  const limit = terms.overage_limit ?? null
  expect(usage.items).toEqual([
    {
      balance,
      credit_entitlement_id: one.creditId,
      credit_entitlement_name: expect.any(String),
      limit_reached: limit !== null,
      overage,
      overage_enabled: terms.overage_enabled,
      overage_limit: limit,
      remaining_headroom: limit === null ? null : '0',
      unit: 'credit',
    },
  ])
})

it('gives back what falls, as a refund that refers to the meter', async () => {
  const last = await subscriber(at, { meters: [{ aggregation: { type: 'last', key: 'seats' } }] })
  const sum = await subscriber(at, { meters: [{ aggregation: { type: 'sum', key: 'n' } }] })
  await last.balance(await last.spend({ seats: 30 }))
  await sum.ledger(await sum.spend({ n: 30 }))
  await last.ledger(await last.spend({ seats: 30 }))
  for (const [one, metadata] of [
    [last, { seats: 12 }],
    [sum, { n: -18 }],
  ] as const) {
    const position = await one.spend(metadata)
    expect(await one.balance(position)).toEqual({ balance: '88', overage: '0' })
    const [refund, deducted] = await one.ledger(position)
    expect(deducted).toMatchObject({
      transaction_type: 'credit_deducted',
      is_credit: false,
      amount: '30',
      balance_after: '70',
    })
    expect(refund).toMatchObject({
      transaction_type: 'refund',
      is_credit: true,
      amount: '18',
      balance_before: '70',
      balance_after: '88',
      reference_type: 'meter',
      reference_id: one.meterIds[0],
      grant_id: deducted?.grant_id,
    })
  }
})

it('relieves overage before it gives back to grants', async () => {
  const one = await subscriber(at, {
    meters: [{ aggregation: { type: 'last', key: 'n' } }],
    mapping: { overage_enabled: true, price_per_unit: '1', currency: 'USD' },
  })
  await one.ledger(await one.spend({ n: 130 }))
  expect(await one.balance()).toEqual({ balance: '0', overage: '30' })
  expect(await one.balance(await one.spend({ n: 110 }))).toEqual({ balance: '0', overage: '10' })
  expect(await one.balance(await one.spend({ n: 95 }))).toEqual({ balance: '5', overage: '0' })
})
