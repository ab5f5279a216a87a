import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openKeeping } from '../../../src/engine/webhooks/keeping.ts'
import type { Forgotten } from '../../../src/parts/store/deliveries.ts'
import { timestamptz } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { deliveries } from '../../../src/parts/store/postgres/telling/deliveries.ts'
import { webhookStreams } from '../../../src/parts/store/postgres/telling/webhook-streams.ts'
import type { Instant } from '../../../src/std/instant.ts'
import {
  day,
  formatInstant,
  hour,
  instantOf,
  after as later,
  parseInstant,
} from '../../../src/std/instant.ts'
import { quiet } from '../../support/runtime/logger.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

const noon = parseInstant('2026-03-31T12:00:00Z') ?? instantOf(0)
const midnight = later(noon, -12 * hour)

describe('what was told', () => {
  let scratch: ScratchDatabase
  beforeAll(async () => {
    scratch = await scratchDatabase()
  })
  afterAll(() => scratch.drop())
  beforeEach(async () => {
    await scratch.db.query(sql`truncate messages, deliveries, attempts`)
  })

  it('is forgotten by whole days, with its deliveries and attempts, and never while due', async () => {
    await told('old', later(midnight, -30 * day - 1), { attempts: 2 })
    await told('failing', later(midnight, -30 * day - 1), { due: true, attempts: 9 })
    await told('unwanted', later(midnight, -30 * day - 1), { endpoints: 0 })
    await told('one of two', later(midnight, -30 * day - 2), { endpoints: 2, attempts: 1 })
    await told('half due', later(midnight, -30 * day - 2), { endpoints: 2, due: true })
    await told('of the day', later(midnight, -30 * day))
    await told('new', noon)
    const runs = await keepingFor(noon, async ({ settled }) => settled(1))
    expect(await left()).toEqual(['failing', 'half due', 'new', 'of the day'])
    expect(runs).toEqual([
      [{ messages: 3, deliveries: 3, attempts: 4 }, formatInstant(later(midnight, -30 * day))],
    ])
    expect(await count('deliveries')).toBe(5)
    expect(await count('attempts')).toBe(9 + 2 + 2)
  })

  it('goes a few days a run, the oldest first, however long it was left', async () => {
    for (let days = 0; days < 8; days += 1) await told(`m${days}`, later(noon, (days - 60) * day))
    await keepingFor(noon, async ({ settled, nudge }) => {
      await settled(1)
      expect(await left()).toEqual(['m3', 'm4', 'm5', 'm6', 'm7'])
      nudge()
      await settled(2)
      expect(await left()).toEqual(['m6', 'm7'])
    })
  })

  it('goes in pieces, however much of it a day has', async () => {
    await scratch.db.query(sql`
      insert into messages (message_id, business_id, mode, type, body, created_at)
      select 'm' || n, 'bus_1', 'test', 'credit.added', '{}',
        ${timestamptz(later(noon, -40 * day))}::timestamptz
      from generate_series(1, 1700) n`)
    const runs = await keepingFor(noon, async ({ settled }) => settled(1))
    expect(runs.map(([rows]) => rows.messages)).toEqual([1_700])
    expect(await left()).toEqual([])
  })

  it('stays while the time is not believed', async () => {
    await told('old', later(noon, -31 * day))
    let asked = 0
    const believed = () => {
      asked += 1
      return later(noon, -120 * day)
    }
    await keepingFor(believed, async () => expect.poll(() => asked).toBeGreaterThan(0))
    expect(await left()).toEqual(['old'])
  })

  interface Going {
    settled(runs: number): Promise<void>
    nudge(): void
  }

  async function keepingFor(
    now: Instant | (() => Instant),
    work: (going: Going) => Promise<void>,
  ): Promise<(readonly [Forgotten, string])[]> {
    const runs: (readonly [Forgotten, string])[] = []
    const keeping = openKeeping({
      deliveries: deliveries(scratch.db),
      streams: webhookStreams(scratch.db),
      retention: 30 * day,
      clock: { believed: typeof now === 'function' ? now : () => now },
      logger: quiet,
      dropped: (rows, before) => runs.push([rows, formatInstant(before)]),
    })
    keeping.start()
    const settled = (count: number) => expect.poll(() => runs.length).toBe(count)
    await work({ settled, nudge: keeping.nudge })
    await keeping.stop()
    return runs
  }

  async function told(
    id: string,
    at: Instant,
    { due = false, endpoints = 1, attempts = 1 } = {},
  ): Promise<void> {
    const { db } = scratch
    await db.query(sql`
      insert into messages (message_id, business_id, mode, type, body, created_at)
      values (${id}, 'bus_1', 'test', 'credit.added', '{}', ${timestamptz(at)})`)
    for (let number = 0; number < endpoints; number += 1) {
      // Of several, the last is the one that may be due.
      const nextAt = due && number === endpoints - 1 ? timestamptz(noon) : null
      await db.query(sql`
        insert into deliveries (message_id, webhook_id, business_id, mode, attempts, next_at)
        values (${id}, ${`whk_${number}`}, 'bus_1', 'test', ${attempts}, ${nextAt})`)
      await db.query(sql`
        insert into attempts (message_id, webhook_id, number, at, duration_ms)
        select ${id}, ${`whk_${number}`}, n, ${timestamptz(at)}, 1
        from generate_series(1, ${attempts}::integer) n`)
    }
  }

  async function left(): Promise<readonly string[]> {
    const rows = await scratch.db.query<{ message_id: string }>(
      sql`select message_id from messages order by message_id`,
    )
    return rows.map((row) => row.message_id)
  }

  async function count(table: 'deliveries' | 'attempts'): Promise<number> {
    const [row] = await scratch.db.query<{ count: number }>({
      text: `select count(*)::integer as count from ${table}`,
      values: [],
    })
    return row?.count ?? 0
  }
})
