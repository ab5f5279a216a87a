import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFor } from '../../../src/compose/store.ts'
import { limits } from '../../../src/limits.ts'
import { voidEvent } from '../../../src/operations/events/void-event.ts'
import { verifyBooks } from '../../../src/operations/verify/verify-books.ts'
import { accounts } from '../../../src/parts/store/postgres/accounts/accounts.ts'
import { audit } from '../../../src/parts/store/postgres/audit/audit.ts'
import { businesses } from '../../../src/parts/store/postgres/catalog/businesses.ts'
import { creditEntitlements } from '../../../src/parts/store/postgres/catalog/credit-entitlements.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { voids } from '../../../src/parts/store/postgres/usage/voids.ts'
import { formatInstant, hour, minute } from '../../../src/std/instant.ts'
import { idleNow } from '../../support/measuring/idle.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { openShop } from '../../support/process/shop.ts'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await openPipeline()
})
afterAll(() => pipeline.drop())

async function counts(creditId: string): Promise<{ stretches: number; old: number }> {
  const [row] = await pipeline.db.query<{ stretches: number; old: number }>(sql`
    select jsonb_array_length(stretches) as stretches,
      (select count(*) from old_links where credit_entitlement_id = ${creditId}) as old
    from credit_entitlements where credit_entitlement_id = ${creditId}`)
  return row ?? { stretches: 0, old: 0 }
}

/** The worth of usage of which each part has terms of its own. [meters#worth] */
function worthOf(parts: readonly { readonly tokens: number; readonly units: number }[]): number {
  let [sum, hundredths] = [0, 0]
  for (const { tokens, units } of parts) {
    const before = Math.trunc((sum * 100) / units)
    sum += tokens
    hundredths += Math.trunc((sum * 100) / units) - before
  }
  return hundredths
}

describe('default links that change ever again', () => {
  it('leave only those at hand that events may still be measured with, and reprice nothing', async () => {
    const shop = await openShop(pipeline)
    const { businessId, call, creditId, customer, event, explained, link, send } = shop
    await link('1000')
    await shop.grant('1000')
    const used: { id: string; tokens: number; units: number }[] = []
    for (let times = 1; times <= 150; times += 1) {
      pipeline.pass(2 * minute)
      await idleNow(pipeline)
      const units = 1_000 + times
      await link(String(units))
      if (times % 20 !== 0) continue
      used.push({ id: `used${times}`, tokens: 7_777, units })
      await send(event(`used${times}`, { tokens: 7_777 }))
    }
    await pipeline.archive()

    // Two hours of changes at one every other minute, besides the first stretch and the one that
    // holds.
    const { stretches, old } = await counts(creditId)
    expect(stretches).toBeLessThanOrEqual(64)
    expect(old).toBe(4)

    const balance = async () =>
      (await call()(`GET /credit-entitlements/${creditId}/balances/${customer}`)).body['balance']
    expect(Number(await balance())).toBeCloseTo(1_000 - worthOf(used) / 100, 6)

    // One event under a stretch that is over, and one under a stretch that is not.
    for (const { id, units } of [used[0], used.at(-1)].flatMap((one) => one ?? [])) {
      const [meter] = (await explained(id)).meters
      expect(meter?.effects[0]?.terms.meter_units_per_credit).toBe(String(units))
      expect(meter?.effects[0]?.usage.agrees_with_books).toBe(true)
    }

    const [first, ...others] = used
    const ports = { ...pipeline.explaining, voids: voids(pipeline.db) }
    const owner = { businessId, mode: 'test' as const }
    await voidEvent(
      { ...ports, businesses: businesses(pipeline.db), clock: pipeline.clock },
      { owner, eventId: first?.id ?? '', reason: 'by mistake' },
    )
    await pipeline.settle()
    expect(Number(await balance())).toBeCloseTo(1_000 - worthOf(others) / 100, 6)

    // Usage that is sealed, and read with all that is sealed, is worth the same.
    await pipeline.db.query(sql`update usage set sealed = true`)
    const key = { businessId, mode: 'test' as const, customerId: customer, entitlementId: creditId }
    const [whole] = await accounts(pipeline.db).load([key], 'whole')
    expect(whole?.entitlement?.stretches.length).toBe(stretches + old)
    const [open] = await accounts(pipeline.db).load([key])
    expect(open?.entitlement?.stretches.length).toBe(stretches)

    const differences = async () => {
      const found: string[] = []
      const needs = { audit: audit(pipeline.db), log: null, window: hour }
      for await (const each of verifyBooks(needs, { businessId })) found.push(each.sentence)
      return found
    }
    expect(await differences()).toEqual([])
    await pipeline.db.query(sql`delete from old_links where credit_entitlement_id = ${creditId}`)
    expect(await differences()).not.toEqual([])
  })

  it('keep all of them while a partition stands still', async () => {
    const { creditId, link } = await openShop(pipeline)
    await link('1000')
    await idleNow(pipeline)
    await pipeline.db.query(sql`
      update checkpoints set halted = 'as a test wants it', halted_at = '2020-01-01',
        log_at = ${formatInstant(pipeline.clock.now())}, idle_at = 'epoch'
      where partition = 0`)
    for (let times = 1; times <= 5; times += 1) {
      pipeline.pass(hour)
      const at = formatInstant(pipeline.clock.now())
      await pipeline.db.query(sql`update checkpoints set idle_at = ${at} where partition = 1`)
      await pipeline.db.query(sql`update believed_time set at = ${at}, told_at = now()`)
      await link(String(1_000 + times))
    }
    expect((await counts(creditId)).stretches).toBe(6)
    await pipeline.db.query(sql`update checkpoints set halted = null, halted_at = null`)
    await idleNow(pipeline)
    await link('2000')
    expect((await counts(creditId)).stretches).toBe(5)
  })

  it('keep those that keys for older events may still send events of', async () => {
    const { businessId } = await openShop(pipeline)
    await idleNow(pipeline)
    const scope = { businessId, mode: 'test' as const }
    const closedTo = async (openFor: number) =>
      (await creditEntitlements(pipeline.db, openFor).closedTo(scope))?.at ?? 0
    expect((await closedTo(2 * hour)) - (await closedTo(24 * hour))).toBe(22 * hour)
    expect([hour, 24 * hour].map((dedupeWindow) => openFor({ dedupeWindow }))).toEqual([
      limits.sealAfter,
      24 * hour,
    ])
  })
})
