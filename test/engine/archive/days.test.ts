import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { batchesRetention, keepDays } from '../../../src/engine/archive/days.ts'
import type { DayTable } from '../../../src/parts/store/partitions.ts'
import { dayTables } from '../../../src/parts/store/partitions.ts'
import { timestamptz } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { dayPartitions } from '../../../src/parts/store/postgres/usage/partitions.ts'
import type { Instant } from '../../../src/std/instant.ts'
import {
  day,
  formatInstant,
  hour,
  instantOf,
  after as later,
  parseInstant,
} from '../../../src/std/instant.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

const today = parseInstant('2026-03-10T00:00:00Z') ?? instantOf(0)
const noon = later(today, 12 * hour)
const retention = { batches: batchesRetention(day), archive: 90 * day }

describe('days', () => {
  let scratch: ScratchDatabase
  beforeAll(async () => {
    scratch = await scratchDatabase()
  })
  afterAll(() => scratch.drop())
  beforeEach(async () => {
    for (const table of dayTables) {
      await scratch.db.query({ text: `truncate ${table}`, values: [] })
      const partitions = dayPartitions(scratch.db, retention.batches)
      for (const old of await partitions.days(table))
        await partitions.drop(table, old, later(noon, 1_000 * day))
    }
    await scratch.db.query(sql`truncate archive_checkpoints, checkpoints`)
    await ranFor(30 * day)
  })

  it('makes today and two days ahead, and again without harm, whoever else does', async () => {
    const partitions = dayPartitions(scratch.db, retention.batches)
    await Promise.all([1, 2, 3].map(() => keepDays(partitions, retention, noon)))
    await keepDays(partitions, retention, noon)
    for (const table of dayTables) {
      expect((await partitions.days(table)).map((at) => formatInstant(at).slice(0, 10))).toEqual([
        '2026-03-10',
        '2026-03-11',
        '2026-03-12',
      ])
    }
    await batch(0, noon)
    await batch(1, later(today, day))
    await batch(2, later(today, -1))
    expect(await whereBatchesLie()).toEqual([
      [0, 'batches_20260310'],
      [1, 'batches_20260311'],
      [2, 'batches_default'],
    ])
  })

  it('takes along rows that came before the day was made', async () => {
    await batch(0, noon)
    await batch(1, later(today, day - 1))
    await batch(2, later(today, 40 * day))
    await keepDays(dayPartitions(scratch.db, retention.batches), retention, noon)
    expect(await whereBatchesLie()).toEqual([
      [0, 'batches_20260310'],
      [1, 'batches_20260310'],
      [2, 'batches_default'],
    ])
  })

  it('hides no row from who reads while they move', async () => {
    await batch(0, noon)
    await batch(1, later(today, day - 1))
    const count = () => scratch.db.query(sql`select start_offset from batches order by 1`)
    const all = await count()
    const reading = await scratch.db.transaction(async (tx) => {
      await tx.query(sql`select make_day_partition('batches', '2026-03-10') as done`)
      const reads = [count(), count()]
      // Both wait for a lock of ours: what they have looked up by then is what they read.
      await expect
        .poll(() =>
          scratch.db.query(sql`
          select count(*) from pg_stat_activity
          where wait_event_type = 'Lock' and query like 'select start_offset from batches%'`),
        )
        .toEqual([{ count: 2 }])
      return { reads }
    })
    expect(await Promise.all(reading.reads)).toEqual([all, all])
    expect(await whereBatchesLie()).toEqual([
      [0, 'batches_20260310'],
      [1, 'batches_20260310'],
    ])
  })

  it('leaves them where they are when they are too many to move', async () => {
    await batch(0, noon)
    await batch(1, noon)
    const made = scratch.db.query(
      sql`select make_day_partition('batches', '2026-03-10', 1) as done`,
    )
    expect(await made).toEqual([{ done: false }])
    expect(await whereBatchesLie()).toHaveLength(2)
  })

  it('fills blocks of a day with their numbers and keeps them out of line', async () => {
    await keepDays(dayPartitions(scratch.db, retention.batches), retention, noon)
    await scratch.db.query(sql`
      insert into archive_blocks
        (partition, start_offset, end_offset, log_from, log_at, events, ids, verdicts, places,
          catalogs, body, kept_at)
      values (0, 0, 1, ${timestamptz(noon)}, ${timestamptz(noon)}, 1, '', '', '', '[]', '',
        ${timestamptz(noon)})`)
    const rows = await scratch.db.query<{ place: string; block_id: number }>(
      sql`select tableoid::regclass::text as place, block_id from archive_blocks`,
    )
    expect(rows).toEqual([{ place: 'archive_blocks_20260310', block_id: expect.any(Number) }])
    const storage = await scratch.db.query(sql`
      select distinct attstorage::text from pg_attribute
      where attrelid in ('archive_blocks_20260310'::regclass, 'archive_blocks_default'::regclass)
      and attname in ('ids', 'body')`)
    expect(storage).toEqual([{ attstorage: 'e' }])
  })

  it('drops whole days past their retention, and sweeps what has none', async () => {
    const partitions = dayPartitions(scratch.db, retention.batches)
    const days = [-100, -91, -90, -3, -2]
    for (const table of dayTables) {
      for (const ago of days) await partitions.make(table, later(today, ago * day))
    }
    await batch(0, later(today, -50 * day))
    await batch(5, later(today, -2 * day))
    await archivedTo(1)
    // A few days at a time.
    const first = await keepDays(partitions, retention, noon)
    expect(first.filter(({ table }) => table === 'batches')).toHaveLength(3)
    const dropped = [...first, ...(await keepDays(partitions, retention, noon))]
    expect(await left('batches')).toEqual(['2026-03-08', '2026-03-10', '2026-03-11', '2026-03-12'])
    expect(await left('archive_blocks')).toEqual([
      '2025-12-10',
      '2026-03-07',
      '2026-03-08',
      '2026-03-10',
      '2026-03-11',
      '2026-03-12',
    ])
    expect(dropped).toHaveLength(8)
    expect(await whereBatchesLie()).toEqual([[5, 'batches_20260308']])

    async function left(table: DayTable): Promise<readonly string[]> {
      return (await partitions.days(table)).map((at) => formatInstant(at).slice(0, 10))
    }
  })

  it('keeps what was archived lately, whatever the clock of the log said', async () => {
    const partitions = dayPartitions(scratch.db, retention.batches)
    const [wrong, older] = [later(today, -120 * day), later(today, -200 * day)]
    await partitions.make('archive_blocks', wrong)
    for (const at of [wrong, older]) {
      await scratch.db.query(sql`
        insert into archive_blocks
          (partition, start_offset, end_offset, log_from, log_at, events, ids, verdicts, places,
            catalogs, body, kept_at)
        values (0, 0, 1, ${timestamptz(at)}, ${timestamptz(at)}, 1, '', '', '', '[]', '',
          ${timestamptz(noon)})`)
    }
    const kept = () => scratch.db.query(sql`select 1 from archive_blocks`)
    expect(await keepDays(partitions, retention, noon)).toEqual([])
    expect(await kept()).toHaveLength(2)
    const dropped = await keepDays(partitions, retention, later(noon, 91 * day))
    expect(dropped).toContainEqual({ table: 'archive_blocks', day: wrong, rows: 1 })
    expect(await kept()).toHaveLength(0)
  })

  it('says how many rows went with a day', async () => {
    const partitions = dayPartitions(scratch.db, retention.batches)
    const old = later(today, -5 * day)
    await partitions.make('batches', old)
    await batch(0, later(old, hour))
    await batch(1, later(old, 2 * hour))
    await archivedTo(2)
    expect(await keepDays(partitions, retention, noon)).toEqual([
      { table: 'batches', day: old, rows: 2 },
    ])
  })

  it('keeps batches that the archive has not read, however old', async () => {
    const partitions = dayPartitions(scratch.db, retention.batches)
    await partitions.make('batches', later(today, -30 * day))
    await batch(7, later(today, -30 * day))
    await batch(3, later(today, -50 * day))
    await keepDays(partitions, retention, noon)
    expect(await whereBatchesLie()).toHaveLength(2)
    await archivedTo(7)
    await keepDays(partitions, retention, noon)
    expect(await whereBatchesLie()).toEqual([[7, 'batches_20260208']])
    await archivedTo(8)
    await keepDays(partitions, retention, noon)
    expect(await whereBatchesLie()).toEqual([])
  })

  it('keeps batches that dedupe may heal from, whatever the clocks say', async () => {
    const partitions = dayPartitions(scratch.db, retention.batches)
    await partitions.make('batches', later(today, -30 * day))
    const old = 28 * day - 1
    await batch(0, later(today, -30 * day), old)
    await batch(1, later(today, -50 * day), old)
    await batch(2, later(today, -30 * day), 28 * day)
    await batch(3, later(today, -50 * day), 28 * day)
    await archivedTo(4)
    // A clock that runs ahead by months, or was behind when these were written.
    await keepDays(partitions, retention, later(noon, 120 * day))
    expect((await whereBatchesLie()).map(([start]) => start)).toEqual([0, 2, 3])
    await ranFor(30 * day + 1)
    await keepDays(partitions, retention, later(noon, 120 * day))
    expect(await whereBatchesLie()).toEqual([])
  })

  it('does not wait for somebody who holds the table', async () => {
    const partitions = dayPartitions(scratch.db, retention.batches)
    await partitions.make('batches', today)
    await scratch.db.transaction(async (tx) => {
      await tx.query(sql`select count(*) from batches`)
      expect(await partitions.drop('batches', today, noon)).toBe(false)
      expect(await partitions.make('batches', later(today, day))).toBe(false)
    })
    expect(await partitions.drop('batches', today, noon)).toBe(true)
    expect(await partitions.drop('batches', today, noon)).toBe(true)
  })

  async function batch(start: number, at: Instant, ran = 0): Promise<void> {
    await scratch.db.query(sql`
      insert into batches (partition, start_offset, end_offset, log_at, ran, fingerprints, verdicts)
      values (0, ${start}, ${start + 1}, ${timestamptz(at)}, ${ran}, '', '')`)
  }

  async function ranFor(ran: number): Promise<void> {
    await scratch.db.query(sql`
      insert into checkpoints (partition, log_identity, namespace, ran)
      values (0, 'log', 'ns', ${ran})
      on conflict (partition) do update set ran = excluded.ran`)
  }

  async function archivedTo(offset: number): Promise<void> {
    await scratch.db.query(sql`
      insert into archive_checkpoints (partition, next_offset) values (0, ${offset})
      on conflict (partition) do update set next_offset = excluded.next_offset`)
  }

  async function whereBatchesLie(): Promise<readonly (readonly [number, string])[]> {
    const rows = await scratch.db.query<{ start: number; place: string }>(sql`
      select start_offset as start, tableoid::regclass::text as place
      from batches order by start_offset`)
    return rows.map((row) => [row.start, row.place])
  }
})
