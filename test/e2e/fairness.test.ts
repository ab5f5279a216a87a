import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/limits.ts'
import { attachPostgres } from '../../src/parts/store/embedded/postgres.ts'
import type { DbPool } from '../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../src/parts/store/postgres/connection/client.ts'
import { furnish } from '../support/process/furnish.ts'
import type { Subscriber } from './plan.ts'
import { subscriber } from './plan.ts'
import { world } from './world.ts'

/** The first business is the victim; another one does what it can to be in its way. */
const at = world()
let db: DbPool
let offender: { readonly keys: { readonly write: string; readonly read: string } }
let victim: Subscriber

beforeAll(async () => {
  const url = await attachPostgres(join(at.directory, 'postgres'))
  assert(url !== null, 'The server has a database.')
  db = openDb({ url, connectionsMax: 4, name: 'test' })
  offender = await furnish({ DATA_DIR: at.directory })
  victim = await subscriber(at)
})
afterAll(() => db.close())

const ask = (text: string) => db.query<Record<string, unknown>>({ text, values: [] })

describe('scans', () => {
  const deep = '/events?page_size=100&page_number=5000'
  /** Statements of scans that the server works on. */
  const going = async () =>
    (
      await ask(
        `select from pg_stat_activity
         where application_name like 'sluice scans %' and state = 'active'`,
      )
    ).length

  /** Blocks scans at this table for as long as `work` takes. */
  async function heldUp(work: () => Promise<void>): Promise<void> {
    await db.transaction(async (tx) => {
      const text = `set local idle_in_transaction_session_timeout = 0;
        lock table archive_index in access exclusive mode`
      await tx.query({ text, values: [] })
      await work()
    })
  }

  /** What the victim does all the time. */
  async function reads(): Promise<void> {
    for (let round = 0; round < 10; round += 1) {
      const path = `/credit-entitlements/${victim.creditId}/balances/${victim.customerId}` as const
      const answers = await Promise.all([
        at.call('GET /customers'),
        at.call(`GET ${path}`),
        at.call(`GET ${path}/ledger`),
        at.call(`GET /subscriptions/${victim.subscriptionId}`),
        at.call('POST /customers', { body: { name: 'another', email: 'a@example.com' } }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    }
    expect((await fetch(`${at.url('ops')}/readyz`)).status).toBe(200)
  }

  it('of one business hold its share of connections, and nobody else waits for them', {
    timeout: 60_000,
  }, async () => {
    let asked: Promise<number[]> = Promise.resolve([])
    await heldUp(async () => {
      const key = offender.keys.read
      asked = Promise.all(
        Array.from({ length: 60 }, async () => (await at.call(`GET ${deep}`, { key })).status),
      )
      await expect.poll(going).toBe(limits.businessScansMax)
      await reads()
      expect(await going()).toBeLessThanOrEqual(limits.businessScansMax)
      const metrics = await at.metrics()
      expect(metrics.get('sluice_store_shares{kind="scans",state="held"}')).toBe(
        limits.businessScansMax,
      )
    })
    const statuses = await asked
    // Those above the number that may wait are refused at once, and those that waited in vain
    // later.
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(
      60 - limits.businessScansMax - limits.businessScansWaitingMax,
    )
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([])
    expect((await at.call(`GET ${deep}`, { key: offender.keys.read })).status).toBe(200)
  })

  it('whose callers hang up end in the database, too', { timeout: 60_000 }, async () => {
    await heldUp(async () => {
      const over = new AbortController()
      const { signal } = over
      const hanging = Array.from({ length: 20 }, async () => {
        const headers = { Authorization: `Bearer ${offender.keys.read}` }
        await fetch(at.url() + deep, { headers, signal }).catch(() => undefined)
      })
      await expect.poll(going).toBeGreaterThan(0)
      over.abort()
      await Promise.all(hanging)
      await expect.poll(going).toBe(0)
      await reads()
    })
    await expect
      .poll(async () => (await at.metrics()).get('sluice_store_shares{kind="scans",state="held"}'))
      .toBe(0)
  })

  it('of two businesses go on side by side', { timeout: 60_000 }, async () => {
    await heldUp(async () => {
      const over = new AbortController()
      const headers = { Authorization: `Bearer ${offender.keys.read}` }
      const many = Array.from({ length: 20 }, () =>
        fetch(at.url() + deep, { headers, signal: over.signal }).catch(() => undefined),
      )
      await expect.poll(going).toBe(limits.businessScansMax)
      const own = fetch(at.url() + deep, {
        headers: { Authorization: `Bearer ${at.keys.read}` },
        signal: over.signal,
      }).catch(() => undefined)
      await expect.poll(going).toBe(limits.businessScansMax + 1)
      over.abort()
      await Promise.all([...many, own])
    })
  })
})

it('a catalog that changes all the time is measured again a few times and no more', {
  timeout: 120_000,
}, async () => {
  const own = { client: () => at.client(offender.keys.write) }
  const flapping = await subscriber(own)
  const alone = await p99(usage(victim, 30))
  let goesOn = true
  const toggling = Array.from({ length: 8 }, () => toggle(flapping, () => goesOn))
  const using = (async () => {
    while (goesOn) await flapping.use({}, {}, {})
  })()
  const beside = await p99(usage(victim, 30))
  goesOn = false
  await Promise.all([...toggling, using])
  const metrics = await at.metrics()
  const again = (how: string) => metrics.get(`sluice_billing_again_total{how="${how}"}`) ?? 0
  const batches = metrics.get('sluice_billing_batch_duration_seconds_count') ?? 0
  // The offender did get in the way, but held up no batch for longer than that.
  expect(again('loaded')).toBeGreaterThan(0)
  expect(again('loaded')).toBeLessThanOrEqual(batches * 2)
  expect(again('held')).toBeLessThanOrEqual(batches * 4)
  console.info(`p99 of reading one’s usage: ${alone} ms alone, ${beside} ms beside the offender`)
})

/** Sends each event, and waits until the balance shows it. */
async function usage(one: Subscriber, times: number): Promise<readonly number[]> {
  const took: number[] = []
  for (let time = 0; time < times; time += 1) {
    const began = performance.now()
    await one.balance(await one.use({}))
    took.push(performance.now() - began)
  }
  return took
}

async function p99(work: Promise<readonly number[]>): Promise<number> {
  const took = (await work).toSorted((a, b) => a - b)
  return Math.round(took[Math.floor(took.length * 0.99)] ?? 0)
}

/** Archives and unarchives; since others do the same, each may find it done already. */
async function toggle(one: Subscriber, goesOn: () => boolean): Promise<void> {
  const [meter] = one.meterIds
  for (let number = 0; goesOn(); number += 1) {
    const target = number % 2 === 0 ? `DELETE /meters/${meter}` : `POST /meters/${meter}/unarchive`
    const { status } = await at.call(target as `POST /${string}`, { key: offender.keys.write })
    expect([204, 404, 409, 410]).toContain(status)
  }
}
