import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyBooks } from '../../src/operations/verify/verify-books.ts'
import type { LogReader } from '../../src/parts/event-log/port.ts'
import { archiveWriter } from '../../src/parts/store/postgres/archive/archive.ts'
import { audit } from '../../src/parts/store/postgres/audit/audit.ts'
import type { Db } from '../../src/parts/store/postgres/connection/client.ts'
import type { Block } from '../../src/rules/archive/block.ts'
import type { Instant } from '../../src/std/instant.ts'
import { day, hour, after as later } from '../../src/std/instant.ts'
import { holdPartition } from '../support/store/hold-partition.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { january, measuredOf, scratchStore, sliceOf } from '../support/store/scratch-store.ts'

describe('verify', () => {
  let store: ScratchStore

  beforeAll(async () => {
    store = await scratchStore()
    await holdPartition(store, 0, 'the log')
    for (let start = 0; start < 5; start += 1) {
      const slice = sliceOf({
        start,
        // So far apart that `verify` takes no hole between them for a day that was dropped.
        logAt: later(january, start * 2 * hour),
        events: 3,
        billed: 1,
        unmatched: 1,
        duplicates: 1,
        verdicts: new Uint8Array([0, 1, 2]),
      })
      await store.measuring.commit(measuredOf({ slices: [slice] }))
    }
    const archive = archiveWriter(store.db)
    await archive.begin(0, 0)
    for (let start = 0; start < 5; start += 1) {
      const blocks = [blockFrom(start, later(january, start * 2 * hour))]
      await archive.append({ partition: 0, start, end: start + 1, blocks })
    }
  })
  afterAll(() => store.drop())

  async function sentences(db: Db, log: LogReader | null = null): Promise<readonly string[]> {
    const found: string[] = []
    const verification = verifyBooks({ audit: audit(db), log, window: day }, { businessId: null })
    for await (const { sentence } of verification) found.push(sentence)
    return found
  }

  /** What `verify` says after some SQL, which is then rolled back. */
  async function sentencesAfter(text: string): Promise<readonly string[]> {
    const back = new Error('back to right books')
    let found: readonly string[] = []
    await store.db
      .transaction(async (tx) => {
        await tx.query({ text, values: [] })
        found = await sentences(tx)
        throw back
      })
      .catch((error: unknown) => {
        if (error !== back) throw error
      })
    return found
  }

  test('finds nothing wrong with right partitions', async () => {
    expect(await sentences(store.db)).toEqual([])
  })

  describe('names what is wrong with a partition:', () => {
    test.each<readonly [string, string, RegExp]>([
      [
        'totals that do not add up',
        'update checkpoints set events = events + 1',
        /Partition 0: \d+ events were read, but \d+ billed \+ .* is \d+/,
      ],
      [
        'a total that the verdicts deny',
        'update checkpoints set billed = billed + 1, unmatched = unmatched - 1',
        /Partition 0: its totals say \d+ billed, but the verdicts of its batches say \d+/,
      ],
      [
        'a quarantine that lost a record',
        'update checkpoints set quarantined = 3, events = events + 3',
        /Partition 0: 3 events were quarantined, but the quarantine holds 0/,
      ],
      [
        'a batch that is gone',
        'delete from batches where start_offset = 2',
        /Partition 0: there is no batch from 2 to 3/,
      ],
      [
        'the newest batch gone',
        'delete from batches where start_offset = 4',
        /Partition 0: the batches end at 4, but the checkpoint is at 5/,
      ],
      [
        'an id that counted twice within the window',
        `update batches set fingerprints = (
          select fingerprints from batches where start_offset = 1) where start_offset = 3`,
        /Partition 0: 2 ids were counted again within the dedupe window, .* from 1 and from 3 on/,
      ],
      [
        'a batch twice',
        `insert into batches (partition, start_offset, end_offset, log_at, ran, fingerprints, verdicts)
        select partition, start_offset, end_offset, log_at, ran, fingerprints, verdicts
        from batches where start_offset = 1`,
        /Partition 0: the batches up to 2 and from 1 on overlap/,
      ],
      [
        'a batch that ends where it begins',
        'update batches set end_offset = 1 where start_offset = 1',
        /Partition 0: the batch from 1 on ends at 1/,
      ],
      [
        'fingerprints without verdicts',
        `update batches set verdicts = '\\x00' where start_offset = 0`,
        /Partition 0: the batch from 0 on has 36 bytes of fingerprints for 1 verdicts/,
      ],
      [
        'a checkpoint that moved back',
        'update checkpoints set next_offset = 3',
        /Partition 0: its totals say \d+ billed/,
      ],
      [
        'a block that is gone',
        'delete from archive_blocks where start_offset = 2',
        /Partition 0: its archive has no block from 2 to 3/,
      ],
      [
        'the newest block gone',
        'delete from archive_blocks where start_offset = 4',
        /Partition 0: its archive has no block from 4 to 5/,
      ],
      [
        'an archive that moved on without its blocks',
        'update archive_checkpoints set next_offset = 6',
        /Partition 0: its archive is at 6, but its checkpoint is at 5/,
      ],
      [
        'an archive that moved back',
        'update archive_checkpoints set next_offset = 3',
        /Partition 0: its archive is at 3, but its blocks end at 5/,
      ],
      [
        'a block twice',
        `insert into archive_blocks (partition, start_offset, end_offset, log_from, log_at, events, ids,
          verdicts, places, catalogs, body, kept_at)
        select partition, start_offset, end_offset, log_from, log_at, events, ids, verdicts, places,
          catalogs, body, kept_at from archive_blocks where start_offset = 1`,
        /Partition 0: the blocks of its archive up to 2 and from 1 on overlap/,
      ],
      [
        'a block with another number of events',
        'update archive_blocks set events = 4 where start_offset = 1',
        /Partition 0: the block from 1 on has 4 events and 3 verdicts/,
      ],
      [
        'a block that no list shows',
        `delete from archive_index where block_id = (
          select block_id from archive_blocks where start_offset = 3)`,
        /Partition 0: of the block from 3 on 0 events are listed, and 2 can be shown/,
      ],
      [
        'a list of more events than a block can show',
        'update archive_index set events = 3 where log_at = (select min(log_at) from archive_index)',
        /Partition 0: of the block from 0 on 3 events are listed, and 2 can be shown/,
      ],
    ])('%s', async (_, statement, sentence) => {
      const found = await sentencesAfter(statement)
      expect(found.filter((each) => sentence.test(each))).not.toEqual([])
    })

    test('days that were dropped are no hole: what is kept is a part of the totals', async () => {
      expect(await sentencesAfter('delete from batches where start_offset < 2')).toEqual([])
      expect(await sentencesAfter('delete from batches')).toEqual([])
    })

    test('a checkpoint beyond the log, or records that are gone unmeasured', async () => {
      const at = (first: number, end: number, identity = 'the log') =>
        sentences(store.db, readerOf(identity, first, end))
      expect(await at(0, 5)).toEqual([])
      expect(await at(5, 9)).toEqual([])
      expect(await at(0, 4)).toEqual([
        'Partition 0: its checkpoint is at 5, but the log ends at 4.',
      ])
      expect((await at(6, 9))[0]).toContain('records are gone unmeasured')
      expect((await at(0, 5, 'another'))[0]).toContain('but the log is another')
    })
  })
})

/** The record at `start`: an event that was billed, one that was unmatched and a repeat. */
const blockFrom = (start: number, at: Instant): Block => ({
  start,
  end: start + 1,
  logFrom: at,
  logAt: at,
  events: 3,
  ids: new Uint8Array(8),
  verdicts: new Uint8Array([0, 1, 2]),
  routeMarks: new Uint8Array(6),
  places: new Uint8Array(1),
  catalogs: [],
  ndjson: new Uint8Array(),
  summaries: [
    {
      businessId: 'bus_1',
      mode: 'live',
      firstAt: at,
      lastAt: at,
      events: 2,
      customers: new Uint8Array(8),
      names: ['call'],
    },
  ],
})

const readerOf = (identity: string, first: number, end: number): LogReader => ({
  partitions: 1,
  identity,
  lagMax: 0,
  read: () => Promise.resolve([]),
  bounds: () => Promise.resolve({ first, end }),
  ends: () => Promise.resolve([end]),
  trim: () => Promise.resolve(),
  close: () => Promise.resolve(),
})
