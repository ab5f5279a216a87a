import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { verifyBooks } from '../../../src/operations/verify/verify-books.ts'
import { accounts } from '../../../src/parts/store/postgres/accounts/accounts.ts'
import { audit } from '../../../src/parts/store/postgres/audit/audit.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { hour, minute } from '../../../src/std/instant.ts'
import { idleNow } from '../../support/measuring/idle.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { done, openShop } from '../../support/process/shop.ts'
import { usageBased } from '../../support/wire/products.ts'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await openPipeline()
})
afterAll(() => pipeline.drop())

/** A subscriber, and plans that differ in how many units cost a credit. */
async function openSubscriber() {
  const shop = await openShop(pipeline, {}, { precision: 6 })
  const { call, creditId, customer, meterId } = shop
  const plans = new Map<number, string>()
  for (const units of [100, 200, 300]) plans.set(units, await planOf(units))
  const subscription = await done(
    call()('POST /subscriptions', {
      billing: { country: 'GB' },
      customer: { customer_id: customer },
      product_id: plans.get(100),
      quantity: 1,
    }),
  )
  const path = `/subscriptions/${String(subscription['subscription_id'])}` as const
  const history = async () => (await done(call()(`GET ${path}/usage-history?page_size=100`))).items
  return { ...shop, changePlan, history, patch, stored }

  async function planOf(units: number): Promise<string> {
    const meter = { meter_id: meterId, credit_entitlement_id: creditId }
    const product = await done(
      call()('POST /products', {
        name: `Plan ${units}`,
        tax_category: 'saas',
        price: { ...usageBased, meters: [{ ...meter, meter_units_per_credit: `${units}` }] },
        credit_entitlements: [{ credit_entitlement_id: creditId, credits_amount: '1000' }],
      }),
    )
    return String(product.product_id)
  }

  function changePlan(units: number, proration_billing_mode: string) {
    const change = { product_id: plans.get(units), quantity: 1, proration_billing_mode }
    return call()(`POST ${path}/change-plan`, change)
  }

  function patch(body: object) {
    return call()(`PATCH ${path}`, body)
  }

  async function stored() {
    const [row] = await pipeline.db.query<{ stretches: number; old: number; pauses: number }>(sql`
      select jsonb_array_length(stretches) as stretches, jsonb_array_length(pauses) as pauses,
        (select count(*) from old_stretches o where o.subscription_id = s.subscription_id) as old
      from subscriptions s where customer_id = ${customer}`)
    return row ?? { stretches: 0, old: 0, pauses: 0 }
  }
}

describe('a subscription that changes ever again', () => {
  it('has at hand what events may still be measured with, and what is over keeps its terms', async () => {
    const { businessId, changePlan, history, creditId, customer, event, explained, send, stored } =
      await openSubscriber()
    const used: { id: string; units: number }[] = []
    for (let times = 1; times <= 40; times += 1) {
      pipeline.pass(20 * minute)
      await idleNow(pipeline)
      const units = (times % 3) * 100 + 100
      const mode = times % 4 === 0 ? 'full_immediately' : 'do_not_bill'
      expect((await changePlan(units, mode)).status).toBe(200)
      used.push({ id: `used${times}`, units })
      await send(event(`used${times}`, { tokens: 600 }))
    }
    await pipeline.archive()

    // Two hours of changes, those of the open cycle, and the first terms.
    const { stretches, old } = await stored()
    expect(stretches).toBeLessThanOrEqual(1 + 2 * 3 + 4)
    expect(stretches + old).toBeGreaterThanOrEqual(41)

    for (const { id, units } of [used[0], used[20], used.at(-1)].flatMap((one) => one ?? [])) {
      const [meter] = (await explained(id)).meters
      expect(meter?.effects[0]?.terms.meter_units_per_credit).toBe(String(units))
      expect(meter?.effects[0]?.usage.agrees_with_books).toBe(true)
    }
    const [row] = await pipeline.db.query<{ spent: number }>(sql`
      select sum(amount)::float as spent
      from ledger_entries join accounts using (account_id)
      where customer_id = ${customer} and transaction_type = 'credit_deducted'`)
    const worth = used.reduce((sum, { units }) => sum + 600 / units, 0)
    expect(row?.spent).toBeCloseTo(worth, 4)

    const consumed = ((await history()) ?? []).map(({ meters }) =>
      String((meters as { consumed_units: string }[])[0]?.consumed_units),
    )
    expect(consumed.toReversed()).toEqual([
      '1800',
      ...Array.from({ length: 9 }, () => '2400'),
      '600',
    ])

    // Cycles that are sealed, and read with all that is sealed, have their terms, too.
    await pipeline.db.query(sql`update usage set sealed = true`)
    const key = { businessId, mode: 'test' as const, customerId: customer, entitlementId: creditId }
    const [whole] = await accounts(pipeline.db).load([key], 'whole')
    expect(whole?.subscriptions[0]?.stretches.length).toBe(stretches + old)
    const [open] = await accounts(pipeline.db).load([key])
    expect(open?.subscriptions[0]?.stretches.length).toBe(stretches)

    const differences = async () => {
      const found: string[] = []
      const needs = { audit: audit(pipeline.db), log: null, window: hour }
      for await (const each of verifyBooks(needs, { businessId })) found.push(each.sentence)
      return found
    }
    expect(await differences()).toEqual([])
    await pipeline.db.query(sql`delete from old_stretches`)
    expect(await differences()).not.toEqual([])
  })

  it('is refused a pause when it was paused too often, until the earlier ones are over', async () => {
    const { patch, stored } = await openSubscriber()
    const pauses = limits.subscriptionChangesMax
    for (let times = 1; times <= pauses; times += 1) {
      expect((await patch({ status: 'paused' })).status).toBe(200)
      pipeline.pass(100_000)
      expect((await patch({ status: 'active' })).status).toBe(200)
    }
    expect((await patch({ status: 'paused' })).body).toMatchObject({ code: 'CONFLICT' })
    expect((await stored()).pauses).toBe(pauses)
    pipeline.pass(3 * hour)
    await idleNow(pipeline)
    expect((await patch({ status: 'paused' })).status).toBe(200)
    expect((await stored()).pauses).toBe(1)
  })
})
