import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyBooks } from '../../src/operations/verify/verify-books.ts'
import type { LogReader } from '../../src/parts/event-log/port.ts'
import { audit } from '../../src/parts/store/postgres/audit/audit.ts'
import type { Db } from '../../src/parts/store/postgres/connection/client.ts'
import { after, day, hour } from '../../src/std/instant.ts'
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
        logAt: after(january, start * 2 * hour),
        events: 3,
        billed: 1,
        unmatched: 1,
        duplicates: 1,
        verdicts: new Uint8Array([0, 1, 2]),
      })
      await store.measuring.commit(measuredOf({ slices: [slice] }))
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
