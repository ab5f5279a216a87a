import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { archiveNext, trimmableOf } from '../../../src/engine/archive/archiver.ts'
import { mergeNext } from '../../../src/engine/archive/merger.ts'
import type { ArchivePosition, ArchiveWriter } from '../../../src/parts/store/archive.ts'
import { archiveWriter } from '../../../src/parts/store/postgres/archive/archive.ts'
import { decompressed } from '../../../src/parts/store/postgres/connection/compression.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { ndjsonLines, parseLine } from '../../../src/rules/archive/line.ts'
import type { LogLine } from '../../../src/rules/meter/usage-event.ts'
import { formatInstant, instantOf, second } from '../../../src/std/instant.ts'
import { indexedHere } from '../../support/measuring/indexed-here.ts'
import type { MeasuredLog } from '../../support/measuring/measured-log.ts'
import { measuredLog, testFingerprint } from '../../support/measuring/measured-log.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

const noon = 1_790_000_000 * second

describe('archiver', () => {
  let scratch: ScratchDatabase
  let archive: ArchiveWriter
  let made: MeasuredLog
  let clock = 0

  beforeAll(async () => {
    scratch = await scratchDatabase()
    archive = archiveWriter(scratch.db)
  })
  afterAll(() => scratch.drop())
  beforeEach(async () => {
    await scratch.db.query(sql`
      truncate batches, checkpoints, quarantine,
        archive_blocks, archive_index, archive_checkpoints`)
    made = measuredLog(scratch.db, 1)
    clock = noon
  })

  it('archives what is measured, and only that', async () => {
    append('a', 'b')
    append('c')
    await made.measure(0, 1)
    expect(await step()).toEqual({ kind: 'moved', events: 2, left: false })
    expect(await step()).toEqual({ kind: 'idle' })
    expect(await archived()).toEqual(['a', 'b'])
    await made.measure(0)
    await step()
    expect(await archived()).toEqual(['a', 'b', 'c'])
  })

  it('leaves the last of several blocks to the next round, which fills it', async () => {
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name} ${index}`)
    append(...many('a', 3_000))
    append(...many('b', 3_000))
    await made.measure(0)
    expect(await step()).toEqual({ kind: 'moved', events: 3_000, left: true })
    append(...many('c', 1_000))
    await made.measure(0)
    expect(await step()).toEqual({ kind: 'moved', events: 4_000, left: false })
    expect(await archived()).toEqual([
      ...many('a', 3_000),
      ...many('b', 3_000),
      ...many('c', 1_000),
    ])
    expect(await step()).toEqual({ kind: 'idle' })
  })

  it('keeps repeats with their verdict, in order of the log', async () => {
    append('a', 'b')
    append('b', 'c')
    await made.measure(0)
    await step()
    const [block] = await scratch.db.query<{ verdicts: Buffer; catalogs: unknown }>(
      sql`select verdicts, catalogs from archive_blocks`,
    )
    expect([...(block?.verdicts ?? [])]).toEqual([0, 0, 2, 0])
    expect(block?.catalogs).toEqual([{ events: 4, catalog: { at: 0 } }])
  })

  it('steps over records in quarantine, wherever they lie', async () => {
    made.appendUnreadable(0, tick())
    append('a')
    made.appendUnreadable(0, tick())
    await made.measure(0)
    made.appendUnreadable(0, tick())
    await made.measure(0)
    while ((await step()).kind === 'moved');
    expect(await position()).toMatchObject({ archived: 4, measured: 4 })
    expect(await archived()).toEqual(['a'])
  })

  it('reads on when the log answers in pieces', async () => {
    made.log.bytesMax = 1
    for (const id of ['a', 'b', 'c', 'd']) append(id)
    await made.measure(0)
    await step()
    expect(await archived()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('counts verdicts from the end of a batch that began before the archive', async () => {
    append('a', 'b')
    append('b', 'd')
    await made.measure(0)
    await archive.begin(0, 1)
    await step()
    const rows = await scratch.db.query<{ verdicts: Buffer }>(
      sql`select verdicts from archive_blocks`,
    )
    expect([...(rows[0]?.verdicts ?? [])]).toEqual([2, 0])
  })

  it('lets one of two processes win, and the other try again', async () => {
    append('a')
    await made.measure(0)
    const stale = await position()
    const steps = await Promise.all([step(stale), step(stale), step(stale)])
    expect(steps.map((one) => one.kind).sort()).toEqual(['lost', 'lost', 'moved'])
    expect(await step(stale)).toEqual({ kind: 'lost' })
    expect(await archived()).toEqual(['a'])
    expect(await count('archive_index')).toBe(1)
  })

  it('repeats and loses nothing when it dies between any two steps', async () => {
    for (let index = 0; index < 12; index += 1) append(`e${index}`, `f${index}`)
    for (let index = 0; index < 6; index += 1) await made.measure(0, 2)
    for (let deaths = 1; deaths < 40; deaths += 1) {
      const fragile = dyingAfter(deaths % 7)
      await archiveNext(
        { archive: fragile, reader: made.log, indexed: indexedHere },
        await position(),
      ).catch(() => null)
    }
    while ((await step()).kind === 'moved');
    expect(await archived()).toEqual(
      Array.from({ length: 12 }, (_, index) => [`e${index}`, `f${index}`]).flat(),
    )
  })

  it('halts rather than guess when log and store do not fit together', async () => {
    append('a')
    append('b')
    await made.measure(0)
    await made.log.trim(0, 1)
    await archive.begin(0, 0)
    expect(await step()).toMatchObject({
      kind: 'halted',
      reason: expect.stringContaining('verdicts'),
    })
    await scratch.db.query(sql`delete from batches`)
    expect(await step()).toMatchObject({
      kind: 'halted',
      reason: expect.stringContaining('offset 1'),
    })
    expect(await archived()).toEqual([])
  })

  it('makes few blocks of many, and nothing is lost or listed twice by it', async () => {
    for (let index = 0; index < 300; index += 1) {
      append(`e${index}`)
      if (index % 7 === 6) made.appendUnreadable(0, tick())
      await made.measure(0)
      await step()
    }
    expect(await count('archive_blocks')).toBe(300)
    while (await mergeNext({ archive, fingerprint: testFingerprint, indexed: indexedHere }, 0));
    expect(await count('archive_blocks')).toBeLessThan(200)
    for (let index = 300; index < 600; index += 1) {
      append(`e${index}`)
      await made.measure(0)
      await step()
      while (await mergeNext({ archive, fingerprint: testFingerprint, indexed: indexedHere }, 0));
    }
    expect(await archived()).toEqual(Array.from({ length: 600 }, (_, index) => `e${index}`))
    const [sum] = await scratch.db.query<{ listed: number; orphans: number }>(sql`
      select
        sum(events)::bigint as listed,
        count(*) filter (where block_id not in (select block_id from archive_blocks)) as orphans
      from archive_index`)
    expect(sum).toEqual({ listed: 600, orphans: 0 })
    const [ids] = await scratch.db.query<{ each: string; blocks: number }>(sql`
      select max(length(ids)::numeric / events) as each, count(*) as blocks
      from archive_blocks where events >= 2`)
    expect(Number(ids?.each)).toBeLessThanOrEqual(2)
  })

  it('merges once when two try', async () => {
    for (let index = 0; index < 16; index += 1) {
      append(`e${index}`)
      await made.measure(0)
      await step()
    }
    const merger = { archive, fingerprint: testFingerprint, indexed: indexedHere }
    const done = await Promise.all([
      mergeNext(merger, 0),
      mergeNext(merger, 0),
      mergeNext(merger, 0),
    ])
    expect(done.filter((one) => one)).toHaveLength(1)
    expect(await count('archive_blocks')).toBe(1)
    expect(await count('archive_index')).toBe(1)
    expect(await archived()).toHaveLength(16)
  })

  it('lets the log be trimmed beneath the slower, but for the record before the checkpoint', () => {
    const at = instantOf(0)
    const places = { partition: 0, archivedAt: at, measuredAt: at }
    expect(trimmableOf({ ...places, archived: 7, measured: 9 })).toBe(6)
    expect(trimmableOf({ ...places, archived: 9, measured: 9 })).toBe(8)
    expect(trimmableOf({ ...places, archived: 0, measured: 9 })).toBe(0)
    expect(trimmableOf({ ...places, archived: null, measured: 9 })).toBe(0)
  })

  function tick() {
    clock += second
    return instantOf(clock)
  }

  function append(...ids: readonly string[]): void {
    const at = tick()
    made.append(
      ids.map((id) => usage(id, formatInstant(at))),
      at,
    )
  }

  async function position(): Promise<ArchivePosition> {
    const [found] = await archive.positions()
    if (found === undefined) throw new Error('Nothing was measured.')
    return found
  }

  async function step(from?: ArchivePosition) {
    return archiveNext(
      { archive, reader: made.log, indexed: indexedHere },
      from ?? (await position()),
    )
  }

  async function archived(): Promise<readonly string[]> {
    const rows = await scratch.db.query<{ body: Buffer }>(
      sql`select body from archive_blocks order by start_offset`,
    )
    const bodies = await Promise.all(rows.map((row) => decompressed(row.body)))
    return bodies.flatMap((body) => ndjsonLines(body).map((line) => parseLine(line).event_id))
  }

  async function count(table: 'archive_blocks' | 'archive_index'): Promise<number> {
    const [row] = await scratch.db.query<{ count: number }>({
      text: `select count(*) from ${table}`,
      values: [],
    })
    return row?.count ?? 0
  }

  /**
   * The store of a process that dies at its n-th call: odd n after the effect, even n before it.
   */
  function dyingAfter(calls: number): ArchiveWriter {
    let left = calls
    const mortal = async <T>(work: () => Promise<T>): Promise<T> => {
      left -= 1
      if (left < 0 && calls % 2 === 0) throw new Error('killed')
      const result = await work()
      if (left < 0) throw new Error('killed')
      return result
    }
    return {
      ...archive,
      begin: (...given) => mortal(() => archive.begin(...given)),
      measured: (...given) => mortal(() => archive.measured(...given)),
      append: (...given) => mortal(() => archive.append(...given)),
    }
  }
})

const usage = (id: string, timestamp: string): LogLine => ({
  business_id: 'bus_1',
  mode: 'test',
  event_id: id,
  customer_id: 'cus_1',
  event_name: 'call',
  timestamp,
  metadata: null,
})
