import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Committed } from '../../../src/parts/store/measuring.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { measuring } from '../../../src/parts/store/postgres/usage/measuring.ts'
import { holdPartition } from '../../support/store/hold-partition.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { measuredOf, scratchStore, sliceOf } from '../../support/store/scratch-store.ts'

/** What the contract cannot force from outside: two transactions that overlap for sure. */
describe('measuring in PostgreSQL', () => {
  let store: ScratchStore

  beforeAll(async () => {
    store = await scratchStore()
  })
  afterAll(() => store.drop())

  test('a commit that overlaps another of the same slice waits for it, and is lost', async () => {
    await holdPartition(store, 0)
    const write = measuredOf({ slices: [sliceOf({ partition: 0 })] })
    const second = await overlapping(write)
    expect(second).toMatchObject({ kind: 'lost', partitions: [{ nextOffset: 1 }] })
    expect(await store.measuring.checkpoints()).toMatchObject([{ totals: { events: 1 } }])
  })

  test('a commit that overlaps one of other partitions goes through', async () => {
    await holdPartition(store, 1)
    await holdPartition(store, 2)
    const first = measuredOf({ slices: [sliceOf({ partition: 1 })] })
    const { db } = store.another()
    await db.transaction(async (tx) => {
      expect((await measuring(tx).commit(first)).kind).toBe('committed')
      const other = measuredOf({ slices: [sliceOf({ partition: 2 })] })
      expect((await store.measuring.commit(other)).kind).toBe('committed')
    })
  })

  /** The same write, begun while another transaction has made it and not committed yet. */
  async function overlapping(write: Parameters<typeof store.measuring.commit>[0]) {
    const { db } = store.another()
    let second: Promise<Committed> | undefined
    await db.transaction(async (tx) => {
      expect((await measuring(tx).commit(write)).kind).toBe('committed')
      second = store.measuring.commit(write)
      await untilSomebodyWaits()
    })
    return second
  }

  async function untilSomebodyWaits(): Promise<void> {
    for (;;) {
      const waiting = await store.db.query(sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      if (waiting.length > 0) return
    }
  }
})
