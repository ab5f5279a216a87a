import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { attachPostgres } from '../../src/parts/store/embedded/postgres.ts'
import { openDb } from '../../src/parts/store/postgres/connection/client.ts'
import { itAtLength } from '../support/run/at-length.ts'
import { isLong } from '../support/run/long.ts'
import { subscriber } from './plan.ts'
import { world } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-clock-'))
const file = join(folder, 'shift')
const module = new URL('../../dist/test/e2e/degradation/clock-shift.js', import.meta.url)
const at = world({
  CLOCK_SHIFT: file,
  NODE_OPTIONS: `--import ${fileURLToPath(module)}`,
  // Longer than any jump of the clock.
  DEDUPE_WINDOW: '2h',
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Asks the server's own PostgreSQL. */
async function query(text: string): Promise<readonly unknown[]> {
  const url = await attachPostgres(join(at.directory, 'postgres'))
  if (url === null) throw new Error('PostgreSQL does not run.')
  const db = openDb({ url, connectionsMax: 1, name: 'test' })
  try {
    return await db.query({ text, values: [] })
  } finally {
    await db.close()
  }
}

const hour = 3_600_000
const jumpTo = (hours: number) => writeFileSync(file, `${hours * hour}`)

describe('a clock that jumps', () => {
  it('renews, expires, drops and loses nothing, also when the server starts meanwhile', {
    timeout: 300_000,
  }, async () => {
    const one = await subscriber(at)
    const found = async () => {
      const { next_billing_date: renewsAt } = await at
        .client()
        .subscriptions.retrieve(one.subscriptionId)
      const { items } = await at
        .client()
        .usageEvents.list({ customer_id: one.customerId, page_size: 100 })
      const ids = items.map((event) => event.event_id)
      return { renewsAt, ids: new Set(ids) }
    }
    let position = await one.use({ event_id: 'first of all' })
    const archived = () => query(`select 1 from archive_checkpoints where next_offset > 0`)
    await expect.poll(async () => (await archived()).length, { timeout: 60_000 }).toBeGreaterThan(0)
    const before = await found()
    let used = 1
    for (const hours of isLong ? [1, -1, 72, -72, 24 * 120, -24 * 120] : [-72, 24 * 120]) {
      jumpTo(hours)
      if (hours === 24 * 120) await at.restart('SIGKILL')
      // So long that the sweeps have looked several times.
      await pause(4_000)
      position = await one.use({ event_id: `while ${hours}` })
      used += 1
      jumpTo(0)
      await pause(2_000)
    }
    expect(await one.balance(position)).toMatchObject({ balance: `${100 - used}` })
    const ledger = await one.ledger()
    expect(new Set(ledger.map((entry) => entry.transaction_type))).toEqual(
      new Set(['credit_added', 'credit_deducted']),
    )
    expect(ledger.filter((entry) => entry.transaction_type === 'credit_added')).toHaveLength(1)
    const after = await found()
    expect(after.renewsAt).toBe(before.renewsAt)
    expect(after.ids.size).toBe(used)
    const { ok } = await at.sluice('verify')
    expect(ok).toBe(true)
  })

  it('by hours, there and back: every event counts once, and all goes on', {
    timeout: 300_000,
  }, async () => {
    const one = await subscriber(at)
    let used = 0
    const use = async (event: object = {}) => {
      used += 1
      const position = await one.use(event)
      // Waits until measuring has passed it.
      await expect
        .poll(() => one.balance(position).catch(() => null), { timeout: 60_000 })
        .toMatchObject({ balance: `${100 - used}` })
    }
    await use({ event_id: 'before' })
    for (const hours of [6, 1, 11, 0, 3]) {
      jumpTo(hours)
      await use()
      await use({ event_id: `at ${hours}` })
      // The id is known, whatever the clock says.
      await one.use({ event_id: 'before' }, { event_id: `at ${hours}` })
    }
    await use()
    await expect.poll(async () => (await at.metrics()).get('sluice_unaccounted_events')).toBe(0)
    const { ok } = await at.sluice('verify')
    expect(ok).toBe(true)
  })

  itAtLength(
    'by days while nobody looks: an id counts once, also in a server that starts then',
    {
      timeout: 300_000,
    },
    async () => {
      const one = await subscriber(at)
      const ids = ['by days']
      const first = await one.use({ event_id: 'by days' })
      await expect
        .poll(() => one.balance(first).catch(() => null), { timeout: 60_000 })
        .toMatchObject({ balance: '99' })
      for (const hours of [5, -1, -50, 72, 2_880, 0]) {
        await at.stop()
        jumpTo(hours)
        await at.start()
        ids.push(`started at ${hours}`)
        const all = ids.map((event_id) => ({ event_id }))
        for (let turn = 0; turn < 2; turn += 1) {
          const position = await one.use(...all)
          await expect
            .poll(() => one.balance(position).catch(() => null), { timeout: 60_000 })
            .toMatchObject({ balance: `${100 - ids.length}` })
        }
      }
      expect(await at.sluice('verify')).toMatchObject({ ok: true })
    },
  )

  it('back does not keep a revoked key alive', async () => {
    jumpTo(8)
    const made = await at.sluice(
      ...['keys', 'create', '--business', at.businessId, '--mode', 'test'],
    )
    const key = String(made['api_key'])
    expect((await at.call('GET /meters', { key })).status).toBe(200)
    jumpTo(0)
    await at.sluice('keys', 'revoke', String(made['key_id']))
    await expect
      .poll(async () => (await at.call('GET /meters', { key })).status, { timeout: 60_000 })
      .toBe(401)
  })

  it('does not move the window of timestamps, and is told', async () => {
    const one = await subscriber(at)
    const clock = async () => {
      const { checks } = (await (await fetch(`${at.url('ops')}/readyz`)).json()) as Readiness
      return checks['clock']
    }
    jumpTo(6)
    await expect.poll(clock, { timeout: 60_000 }).toMatchObject({ state: 'degraded' })
    expect((await clock())?.reason).toMatch(/21\d{3} s/)
    expect((await at.metrics()).get('sluice_clock_ahead_seconds{clock="system"}')).toBeCloseTo(
      6 * 3_600,
      -1,
    )
    const event = {
      event_id: 'real time',
      customer_id: one.customerId,
      event_name: 'any',
      timestamp: new Date().toISOString(),
    }
    const taken = await at.call('POST /events/ingest', { body: { events: [event] } })
    expect(taken.status).toBe(200)
    const early = { ...event, event_id: 'bent', timestamp: new Date(Date.now() + 6 * hour) }
    const refused = await at.call('POST /events/ingest', { body: { events: [early] } })
    expect([refused.status, refused.body?.['code']]).toEqual([400, 'EVENT_TIMESTAMP_OUT_OF_RANGE'])
    jumpTo(0)
    await expect.poll(clock, { timeout: 60_000 }).toMatchObject({ state: 'ok' })
  })
})

interface Readiness {
  readonly checks: Readonly<
    Record<string, { readonly state: string; readonly reason: string | null }>
  >
}
