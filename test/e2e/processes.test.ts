import { setTimeout as sleep } from 'node:timers/promises'
import DodoPayments from 'dodopayments'
import { afterAll, expect, it } from 'vitest'
import type { Server } from '../support/process/server.ts'
import { sluice } from '../support/process/server.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { distributedMissing, openDistributed } from './distributed-parts.ts'
import type { Fleet } from './fleet.ts'
import { openFleet } from './fleet.ts'
import { subscriber } from './plan.ts'

/** Long enough for a machine that has other things to do. */
const patient = { timeout: 120_000, interval: 200 }

describeWith(distributedMissing, 'many processes', () => {
  let fleet: Fleet
  afterAll(() => fleet?.close())

  it('share the work, and hand it over under load without losing or doubling anything', {
    timeout: 600_000,
  }, async () => {
    fleet = await openFleet(await openDistributed())
    await fleet.start('http-1', 'http')
    await fleet.start('http-2', 'http')
    await fleet.start('billing-1', 'billing')
    await fleet.start('others-1', 'sweeps,delivery,archive')
    const load = await fleet.load()

    // More processes: partitions move to those who come.
    await load.progress()
    await fleet.start('billing-2', 'billing')
    await fleet.start('billing-3', 'billing')
    await load.progress()
    // Fewer processes, by SIGTERM and by `kill -9`.
    await fleet.stop('billing-1', 'SIGTERM')
    await load.progress()
    await fleet.stop('billing-2', 'SIGKILL')
    await load.progress()
    // A process stands still for longer than the group waits, and then goes on as if nothing had
    // happened.
    await fleet.start('billing-4', 'billing')
    fleet.server('billing-4').child.kill('SIGSTOP')
    await sleep(15_000)
    await load.progress()
    fleet.server('billing-4').child.kill('SIGCONT')
    await load.progress()
    // Replaces one process after the other; the edge goes on behind a balancer that sends
    // elsewhere.
    for (const [name, roles] of [
      ['http-1', 'http'],
      ['http-2', 'http'],
      ['billing-3', 'billing'],
      ['billing-4', 'billing'],
      ['others-1', 'sweeps,delivery,archive'],
    ] as const) {
      await fleet.stop(name, 'SIGTERM')
      await fleet.start(name, roles)
      await load.progress()
    }

    const { accepted, refused } = await load.end()
    expect(accepted).toBeGreaterThan(1_000)
    // Clients came again where they were told to; no good request was refused as wrong.
    expect(refused.filter((status) => status !== 503)).toEqual([])
    await expect.poll(() => load.counted(), patient).toBe(accepted)
    await expect.poll(() => fleet.unaccounted(), patient).toBe(0)
    const books = await sluice(['verify', '--json'], fleet.environment)
    // Where that takes longer it says on stderr how far it is.
    expect([books.status, JSON.parse(books.out)], books.error).toMatchObject([0, { ok: true }])
  })

  it('refuse what does not fit to what the others have', async () => {
    const { KAFKA_BROKERS: _, ...without } = fleet.environment
    const alone = await sluice(['serve', '--roles', 'delivery'], { ...without, OPS_PORT: '0' })
    expect(alone.status).toBe(2)
    expect(alone.error).toContain('set KAFKA_BROKERS')
    const embedded = await sluice(['serve'], { ...without, DATA_DIR: fleet.directory })
    expect(embedded.status).toBe(2)
    expect(embedded.error).toContain('an embedded log means one process')
  })

  it('of the old and the new version run side by side for one migration step', {
    timeout: 300_000,
  }, async () => {
    const load = await fleet.load()
    await load.progress()
    // The newer version adds columns to tables that both read, and removes nothing yet. What each
    // one calls in the database has the name of something else in the other.
    const newer = fleet.newer('alter table checkpoints add column added_later text;\n')
    await fleet.start('newer', 'http,billing,sweeps,delivery,archive', newer)
    await load.progress()
    for (let turn = 0; turn < 3; turn += 1) {
      await Promise.all(fleet.urls().map((url) => sell(url, load.sender.key)))
    }
    for (const name of ['http-1', 'billing-3', 'others-1']) await fleet.stop(name, 'SIGTERM')
    await load.progress()
    await Promise.all(fleet.urls().map((url) => sell(url, load.sender.key)))
    const { accepted, refused } = await load.end()
    expect(refused.filter((status) => status !== 503)).toEqual([])
    await expect.poll(() => load.counted(), patient).toBe(accepted)
    await expect.poll(() => fleet.unaccounted(), patient).toBe(0)
    const books = await sluice(['verify', '--json'], fleet.environment, newer)
    expect([books.status, JSON.parse(books.out)], books.error).toMatchObject([0, { ok: true }])
    // From now on the old version refuses to start, with a sentence.
    const old: Server['ended'] = sluice(['serve'], { ...fleet.environment, OPS_PORT: '0' })
    expect((await old).error).toContain('newer version')
  })
})

/** A catalog, a customer and her use of it, through one process; the meter is archived after it. */
async function sell(baseURL: string, bearerToken: string): Promise<void> {
  const client = () => new DodoPayments({ bearerToken, baseURL })
  const one = await subscriber({ client })
  await one.balance(await one.use({}, {}, {}))
  await expect.poll(async () => (await one.balance()).balance, patient).toBe('97')
  const [meterId = ''] = one.meterIds
  await client().meters.archive(meterId)
  const at = { credit_entitlement_id: one.creditId }
  await client().creditEntitlements.balances.createLedgerEntry(one.customerId, {
    ...at,
    amount: '3',
    entry_type: 'credit',
  })
  await expect.poll(async () => (await one.balance()).balance, patient).toBe('100')
}
