import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mergeBatches } from '../../../src/engine/archive/batches.ts'
import { inDedupeRuns } from '../../../src/engine/measuring/dedupe-runs.ts'
import { verifyBooks } from '../../../src/operations/verify/verify-books.ts'
import type { Run } from '../../../src/parts/dedupe/port.ts'
import { audit } from '../../../src/parts/store/postgres/audit/audit.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { batchMerging } from '../../../src/parts/store/postgres/usage/batches.ts'
import { measuring } from '../../../src/parts/store/postgres/usage/measuring.ts'
import { day, hour, instantOf, second } from '../../../src/std/instant.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'
import { sliceOf } from '../../support/store/scratch-store.ts'

const window = 2 * hour
const start = 1_790_000_040 * second
const every = 10 * second
const count = 900
// Two and a half hours of batches, of three offsets and four events each.
const newest = (count - 1) * every

describe('old batches', () => {
  let scratch: ScratchDatabase
  const partition = 0

  beforeAll(async () => {
    scratch = await scratchDatabase()
  })
  afterAll(() => scratch.drop())
  beforeEach(async () => {
    await scratch.db.query(sql`truncate batches, checkpoints, archive_checkpoints`)
    const store = measuring(scratch.db)
    const { epoch } = await store.take(partition, 'log', 'ns')
    for (let index = 0; index < count; index += 1) {
      // No two ids alike: the number of the batch is in each.
      const words = Uint8Array.from({ length: 48 }, (_, byte) =>
        byte % 12 === 0 ? index >>> 8 : byte % 12 === 1 ? index : byte * 5,
      )
      const slice = sliceOf({
        partition,
        epoch,
        start: index * 3,
        end: index * 3 + 3,
        fingerprints: words,
        events: 4,
        billed: 2,
        unmatched: 1,
        duplicates: 1,
        verdicts: Uint8Array.of(0, 1, 2, 0),
        // The age must not depend on log time.
        logAt: instantOf(start - index * day),
        ran: index * every,
      })
      const nothing = { usage: [], accounts: [], catalogs: [], routes: [], quarantined: [] }
      expect(await store.commit({ slices: [slice], ...nothing })).toEqual({ kind: 'committed' })
    }
    await archivedTo(count * 3)
  })

  it('become one a minute, and what heals from them is the same', async () => {
    const before = await healed(0)
    await merge()
    // An hour of them is young; before it lie 540 of them in 90 minutes, cut at full ones.
    const rows = await batches()
    const old = rows.filter(({ at }) => at < newest - window / 2)
    expect(rows.length - old.length).toBe(361)
    expect(old.length).toBeLessThanOrEqual(91)
    expect(new Set(old.map(({ at }) => Math.floor(at / (60 * second)))).size).toBe(old.length)
    expect(flat(await healed(0))).toEqual(flat(before))
    expect(await differences()).toEqual([])
    await merge()
    expect(await batches()).toEqual(rows)
  })

  it('heal from the middle of a merged one on, too', async () => {
    const froms = [3, 540, 543, 546, 1_500, 1_503, count * 3 - 3, count * 3]
    const before = []
    for (const from of froms) before.push(await healed(from))
    await merge()
    for (const [index, from] of froms.entries()) {
      const after = await healed(from)
      expect([after[0]?.start, after.at(-1)?.end]).toEqual([
        before[index]?.[0]?.start,
        before[index]?.at(-1)?.end,
      ])
      // Nothing is missing; whatever is there in addition was known before.
      const ids = new Set(flat(after))
      expect(flat(before[index] ?? []).filter((id) => !ids.has(id))).toEqual([])
    }
  })

  it('are left alone where the archive has not been', async () => {
    await archivedTo(100 * 3)
    await merge()
    const rows = await batches()
    expect(rows.filter(({ from }) => from >= 300)).toHaveLength(count - 100)
    expect(rows.filter(({ from }) => from < 300).length).toBeLessThan(20)
    expect(await differences()).toEqual([])
  })

  it('are not joined over what is missing between them', async () => {
    await scratch.db.query(sql`delete from batches where start_offset = 9`)
    await merge()
    const rows = await batches()
    expect(rows.some(({ from, to }) => from < 9 && to > 9)).toBe(false)
  })

  it('are merged once when several try, also while somebody heals from them', async () => {
    const before = flat(await healed(0))
    const healing: Promise<readonly Run[]>[] = []
    const merging = Promise.all([merge(), merge(), merge()])
    for (let turn = 0; turn < 10; turn += 1) {
      healing.push(healed(0))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await merging
    await merge()
    for (const runs of await Promise.all(healing)) {
      const ids = new Set(flat(runs))
      expect(before.filter((id) => !ids.has(id))).toEqual([])
      for (const [index, run] of runs.slice(1).entries()) expect(run.start).toBe(runs[index]?.end)
    }
    expect(flat(await healed(0))).toEqual(before)
    expect(await differences()).toEqual([])
  })

  const merge = () =>
    mergeBatches(batchMerging(scratch.db), partition, { dedupeWindow: window, goesOn: () => true })

  async function archivedTo(offset: number): Promise<void> {
    await scratch.db.query(sql`
      insert into archive_checkpoints (partition, next_offset) values (${partition}, ${offset})
      on conflict (partition) do update set next_offset = excluded.next_offset`)
  }

  /** Everything that dedupe would get, with a window longer than all there is. */
  async function healed(from: number): Promise<readonly Run[]> {
    const runs: Run[] = []
    const stored = measuring(scratch.db).batches(partition, from, 24 * hour)
    for await (const run of inDedupeRuns(stored, window)) runs.push(run)
    return runs
  }

  const batches = () =>
    scratch.db.query<{ from: number; to: number; at: number }>(sql`
      select start_offset as from, end_offset as to, ran as at
      from batches order by start_offset`)

  async function differences(): Promise<readonly unknown[]> {
    const found: unknown[] = []
    const books = verifyBooks(
      { audit: audit(scratch.db), log: null, window: day },
      { businessId: null },
    )
    for await (const difference of books) found.push(difference)
    return found
  }
})

const flat = (runs: readonly Run[]): readonly string[] =>
  runs.flatMap(({ ids }) =>
    Array.from({ length: ids.length / 3 }, (_, event) =>
      ids.slice(event * 3, event * 3 + 3).join(),
    ),
  )
