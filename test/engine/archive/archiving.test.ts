import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Archiving, ArchivingNeeds } from '../../../src/engine/archive/archiving.ts'
import { archiving } from '../../../src/engine/archive/archiving.ts'
import type { DroppedDay } from '../../../src/engine/archive/days.ts'
import { keepDays } from '../../../src/engine/archive/days.ts'
import { Fault } from '../../../src/faults.ts'
import { archiveWriter } from '../../../src/parts/store/postgres/archive/archive.ts'
import { logHold } from '../../../src/parts/store/postgres/audit/backup.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { batchMerging } from '../../../src/parts/store/postgres/usage/batches.ts'
import { dayPartitions } from '../../../src/parts/store/postgres/usage/partitions.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { day, formatInstant, instantOf, second } from '../../../src/std/instant.ts'
import { indexedHere } from '../../support/measuring/indexed-here.ts'
import type { MeasuredLog } from '../../support/measuring/measured-log.ts'
import { measuredLog, testFingerprint } from '../../support/measuring/measured-log.ts'
import { clockOf } from '../../support/runtime/clock.ts'
import { quiet } from '../../support/runtime/logger.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

const retention = { batches: 2 * day, archive: 90 * day }
const clock = clockOf(systemClock().now)

describe('archiving', () => {
  let scratch: ScratchDatabase
  let made: MeasuredLog
  let report: { halted: string[]; failed: unknown[]; dropped: DroppedDay[] }
  const running: Archiving[] = []

  beforeAll(async () => {
    scratch = await scratchDatabase()
    // An insert that overlaps the making of its day is refused, and repeated; `measureAll` is not.
    await keepDays(dayPartitions(scratch.db, retention.batches), retention, clock.now())
  })
  afterAll(() => scratch.drop())
  beforeEach(async () => {
    await scratch.db.query(sql`
      truncate batches, checkpoints, quarantine,
        archive_blocks, archive_index, archive_checkpoints`)
    made = measuredLog(scratch.db, 2)
    report = { halted: [], failed: [], dropped: [] }
  })
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop()
  })

  it('archives every partition by itself, and trims the log behind itself', async () => {
    for (let index = 0; index < 20; index += 1) append(`e${index}`)
    await measureAll()
    const loop = open({})
    loop.start()
    await expect.poll(archivedEvents).toBe(20)
    for (let partition = 0; partition < 2; partition += 1) {
      const { end } = await made.log.bounds(partition)
      expect(await loop.trimmable(partition)).toBe(end - 1)
    }
    await loop.stop()
    await open({}).round()
    for (let partition = 0; partition < 2; partition += 1) {
      const { first, end } = await made.log.bounds(partition)
      expect(first).toBe(end - 1)
    }
  })

  it('goes on with the other partitions when one does not fit its log, and says so once', async () => {
    for (let index = 0; index < 20; index += 1) append(`e${index}`)
    await measureAll()
    await scratch.db.query(sql`update batches set verdicts = '' where partition = 0`)
    const loop = open({})
    await loop.round()
    await loop.round()
    expect(report.halted).toHaveLength(1)
    expect(report.halted[0]).toMatch(/^0: The batch at offset 0 has 0 verdicts/)
    const rows = await scratch.db.query(sql`select distinct partition from archive_blocks`)
    expect(rows).toEqual([{ partition: 1 }])
  })

  it('reports a round that fails, and tries again', async () => {
    for (let index = 0; index < 4; index += 1) append(`e${index}`)
    await measureAll()
    const archive = archiveWriter(scratch.db)
    let away = 2
    const positions = () => {
      away -= 1
      if (away >= 0) return Promise.reject(new Fault('UNAVAILABLE', 'The database is away.'))
      return archive.positions()
    }
    open({ archive: { ...archive, positions } }).start()
    await expect.poll(archivedEvents).toBe(4)
    expect(report.failed).toHaveLength(2)
  })

  it('shares the work with another process without doing any of it twice', async () => {
    const [one, two] = [open({}), open({})]
    one.start()
    two.start()
    for (let index = 0; index < 40; index += 1) {
      append(`e${index}`)
      await measureAll()
    }
    await expect.poll(archivedEvents).toBe(40)
    const [sum] = await scratch.db.query<{ events: number }>(
      sql`select sum(events)::bigint as events from archive_index`,
    )
    expect(sum?.events).toBe(40)
    expect(report).toEqual({ halted: [], failed: [], dropped: [] })
  })

  it('leaves a partition to whoever was faster, and takes it again when that one has gone', async () => {
    const [one, two] = [open({}), open({})]
    let lost = 0
    for (let turn = 0; turn < 10; turn += 1) {
      for (let index = 0; index < 8; index += 1) append(`e${turn}.${index}`)
      await measureAll()
      await Promise.all([one.round(), two.round()])
      lost += (await archivedEvents()) === (turn + 1) * 8 ? 0 : 1
    }
    // The loser pauses, and either of the two alone is enough.
    expect(lost).toBe(0)
    await one.stop()
    append('last')
    await measureAll()
    await expect
      .poll(() => two.round().then(archivedEvents), { timeout: 30_000, interval: 500 })
      .toBe(81)
    expect(report).toEqual({ halted: [], failed: [], dropped: [] })
  })

  it('drops nothing by a step of the clock, and goes on at its times after it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const partitions = dayPartitions(scratch.db, retention.batches)
      const today = clock.now()
      const old = instantOf(Math.floor(today / day) * day - 80 * day)
      await partitions.make('archive_blocks', old)
      let [step, looks] = [120 * day, 0]
      const days: typeof partitions.days = (table) => {
        looks += 1
        return partitions.days(table)
      }
      const loop = open({
        clock: { ...clockOf(() => instantOf(today + step)), believed: () => today },
        partitions: { ...partitions, days },
      })
      await loop.round()
      expect([looks, report.dropped]).toEqual([3, []])
      step = 0
      await loop.round()
      expect(looks).toBe(3)
      vi.advanceTimersByTime(3_600_000)
      await loop.round()
      expect([looks, report.dropped]).toEqual([6, []])
      expect(await partitions.days('archive_blocks')).toContain(old)
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends a round early when it is stopped', async () => {
    const loop = open({})
    loop.start()
    await loop.stop()
    append('late')
    await measureAll()
    expect(await archivedEvents()).toBe(0)
  })

  function open(ports: Partial<ArchivingNeeds>): Archiving {
    const loop = archiving(
      {
        archive: archiveWriter(scratch.db),
        reader: made.log,
        indexed: indexedHere,
        partitions: dayPartitions(scratch.db, retention.batches),
        batches: batchMerging(scratch.db),
        hold: logHold(scratch.db),
        fingerprint: testFingerprint,
        clock,
        logger: quiet,
        ...ports,
      },
      {
        retention,
        dedupeWindow: day,
        trim: { keep: 0, excess: () => Promise.resolve(0) },
        intervalMs: 5,
        report: {
          halted: (partition, reason) => report.halted.push(`${partition}: ${reason}`),
          failed: (error) => report.failed.push(error),
          dropped: (days) => report.dropped.push(...days),
          trimmed: () => undefined,
        },
      },
    )
    running.push(loop)
    return loop
  }

  function append(id: string): void {
    const at = instantOf(clock.now() - second)
    const line = {
      business_id: 'bus_1',
      mode: 'test' as const,
      event_id: id,
      customer_id: 'cus_1',
      event_name: 'call',
      timestamp: formatInstant(at),
    }
    made.append([line], at)
  }

  async function measureAll(): Promise<void> {
    for (let partition = 0; partition < 2; partition += 1) await made.measure(partition)
  }

  async function archivedEvents(): Promise<number> {
    const [row] = await scratch.db.query<{ events: number }>(
      sql`select coalesce(sum(events), 0)::bigint as events from archive_blocks`,
    )
    return row?.events ?? 0
  }
})
