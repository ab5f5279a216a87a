import type DodoPayments from 'dodopayments'
import { expect, it } from 'vitest'
import type { Answer } from './asking.ts'
import { at } from './here.ts'
import { onceMeasured } from './once-measured.ts'
import type { Subscriber } from './plan.ts'
import { fresh, subscriber } from './plan.ts'

type Entry = DodoPayments.CreditEntitlements.CreditLedgerEntry

/** Answers the business's new time. */
async function advance(by: string): Promise<number> {
  const { status, body } = await onceMeasured(() =>
    at.call('POST /clock/advance', { body: { by } }),
  )
  expect(status).toBe(200)
  return Date.parse(String(body['now']))
}

/** A monthly plan of the same credits, and what changes a subscription to it. */
async function planOf(one: Subscriber, credits: string) {
  const { product_id } = await at.client().products.create({
    name: fresh('plan'),
    tax_category: 'saas',
    credit_entitlements: [{ credit_entitlement_id: one.creditId, credits_amount: credits }],
    price: {
      type: 'recurring_price',
      currency: 'USD',
      price: 0,
      discount: 0,
      purchasing_power_parity: false,
      payment_frequency_count: 30,
      payment_frequency_interval: 'Day',
      subscription_period_count: 5,
      subscription_period_interval: 'Year',
    },
  })
  const body = { product_id, quantity: 1, proration_billing_mode: 'full_immediately' }
  return (headers: Readonly<Record<string, string>> = {}) =>
    at.call(`POST /subscriptions/${one.subscriptionId}/change-plan`, { body, headers })
}

const pathOf = ({ creditId, customerId }: Subscriber): `/${string}` =>
  `/credit-entitlements/${creditId}/balances/${customerId}`

const adjust = (one: Subscriber, entry_type: string, amount: string, rest: object = {}) =>
  at.call(`POST ${pathOf(one)}/ledger-entries`, { body: { entry_type, amount, ...rest } })

it('two plan changes at once, and one held back over a clock move, leave one cycle’s grant', {
  timeout: 240_000,
}, async () => {
  const one = await subscriber(at)
  const change = await planOf(one, '300')
  for (let round = 0; round < 4; round += 1) {
    const both = await Promise.all([change(), change()])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    await advance('P31D')
    expect(Number((await one.balance()).balance), `round ${round}`).toBe(300)
  }
  // It waits for usage that is only sent now, while the clock goes on.
  const position = await one.use({})
  const waiting = onceMeasured(() => change({ 'Sluice-After': position }))
  const [held] = await Promise.all([waiting, advance('P31D')])
  expect(held.status).toBe(200)
  await advance('P31D')
  expect(Number((await one.balance(position)).balance)).toBe(300)
  expectInOrder(await ledgerOf(one))
  expect(await at.sluice('verify', '--business', at.businessId)).toMatchObject({ ok: true })
})

it('bursts of commands and clock moves leave ledgers in the order of time, and books that agree', {
  timeout: 240_000,
}, async () => {
  const subscribers = await Promise.all([subscriber(at), subscriber(at)])
  const changes = await Promise.all(
    subscribers.map(async (one) => [await planOf(one, '40'), await planOf(one, '70')] as const),
  )
  const answers: Answer[] = []
  for (let round = 0; round < 6; round += 1) {
    // Two rounds later, so it becomes due while others are under way.
    const soon = timeIn(await advance('PT1S'), 68 * 86_400_000)
    const burst = subscribers.flatMap((one, index) => {
      const [small, large] = changes[index] ?? []
      const cart = [{ credit_entitlement_id: one.creditId, credits_amount: String(50 + round) }]
      const path = `PATCH /subscriptions/${one.subscriptionId}` as const
      return [
        adjust(one, 'credit', '5', { expires_at: soon }),
        adjust(one, 'debit', '1.5'),
        round % 2 === 0 ? small?.() : large?.(),
        at.call(path, { body: { credit_entitlement_cart: cart } }),
        adjust(one, 'debit', '0.25'),
        one.use({}, {}).then(() => adjust(one, 'credit', '1')),
        small?.(),
      ]
    })
    const clock = ['P3D', 'P31D'].map((by) =>
      at.call('POST /clock/advance', { body: { by } }).then((answer) => {
        answers.push(answer)
      }),
    )
    answers.push(...(await Promise.all(burst)).filter((answer) => answer !== undefined))
    await Promise.all(clock)
  }
  // A command that could not be decided then said 503, and nothing else was refused.
  expect(answers.map(({ status }) => status).filter((code) => code >= 400 && code !== 503)).toEqual(
    answers.filter(({ body }) => body.code === 'INSUFFICIENT_BALANCE').map(({ status }) => status),
  )
  for (const one of subscribers) expectInOrder(await ledgerOf(one))
  expect(await at.sluice('verify', '--business', at.businessId)).toMatchObject({ ok: true })
})

it('a debit follows on the balance that was read, when credits have just expired', {
  timeout: 120_000,
}, async () => {
  const one = await subscriber(at)
  await adjust(one, 'debit', '98')
  for (let round = 0; round < 3; round += 1) {
    const { body: granted } = await adjust(one, 'credit', '5', {
      expires_at: timeIn(await advance('PT1S'), 1_200),
    })
    expect(granted.code).toBeUndefined()
    const read = async () => Number((await one.balance()).balance)
    await expect.poll(read, { interval: 5, timeout: 30_000 }).toBe(2 - round * 0.5)
    const { status, body } = await adjust(one, 'debit', '0.5')
    expect([status, Number(body['balance_before']), Number(body['balance_after'])]).toEqual([
      ...[201, 2 - round * 0.5, 1.5 - round * 0.5],
    ])
    expect(await read()).toBe(1.5 - round * 0.5)
  }
})

const timeIn = (now: number, ms: number): string => new Date(now + ms).toISOString()

/** Oldest first. */
async function ledgerOf(one: Subscriber): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  const { balances } = at.client().creditEntitlements
  for (let page_number = 0; ; page_number += 1) {
    const page = { credit_entitlement_id: one.creditId, page_size: 100, page_number }
    const { items } = await balances.listLedger(one.customerId, page)
    entries.push(...items)
    if (items.length < 100) return entries.toReversed()
  }
}

function expectInOrder(ledger: readonly Entry[]): void {
  const times = ledger.map(({ created_at }) => created_at)
  expect(times).toEqual(times.toSorted())
  for (const [index, entry] of ledger.entries()) {
    const { balance_after: balance = '0', overage_after: overage = '0' } = ledger[index - 1] ?? {}
    expect([entry.balance_before, entry.overage_before]).toEqual([balance, overage])
  }
}
