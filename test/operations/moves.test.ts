import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExportNeeds } from '../../src/operations/moves/export.ts'
import { exportTo } from '../../src/operations/moves/export.ts'
import type { ImportNeeds } from '../../src/operations/moves/import.ts'
import { importFrom } from '../../src/operations/moves/import.ts'
import type { EventLog, LogReader, LogRecord, NewRecord } from '../../src/parts/event-log/port.ts'
import type {
  EmptyStore,
  MovedLog,
  MovedPartition,
  MovedRow,
  MovedTable,
  MovingStore,
} from '../../src/parts/store/moving.ts'
import { instantOf } from '../../src/std/instant.ts'
import { clockOf } from '../support/runtime/clock.ts'

const table: MovedTable = {
  name: 'customers',
  columns: [
    { name: 'id', type: 'bigint', last: 3 },
    { name: 'name', type: 'text', last: null },
  ],
  days: [],
}
const rows: readonly MovedRow[] = [
  ['1', null],
  ['2', 'ä\n"\\ 𝄞'],
  ['3', 'x'.repeat(3_000_000)],
]

const recordAt = (offset: number): LogRecord => ({
  partition: 0,
  offset,
  at: instantOf(1_700_000_000_000_000 + offset),
  events: 2,
  value: Buffer.from([0, 255, offset]),
})

/** A log of one partition, as far as an export or an import sees it. */
function logOf(first: number, kept: readonly LogRecord[], identity = 'old') {
  const records = [...kept]
  let next = first + kept.length
  const reader: LogReader = {
    partitions: 1,
    identity,
    lagMax: 0,
    read: (_, from) => Promise.resolve(records.filter(({ offset }) => offset >= from).slice(0, 2)),
    bounds: () => Promise.resolve({ first: records[0]?.offset ?? next, end: next }),
    ends: () => Promise.resolve([next]),
    trim: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
  const log: EventLog = {
    partitions: 1,
    identity,
    append: (added) => Promise.resolve(added.map(put)),
    close: () => Promise.resolve(),
  }
  return { reader, log, records, put }

  function put(record: NewRecord): number {
    records.push({ at: instantOf(0), ...record, offset: next })
    next += 1
    return next - 1
  }
}

const measuredTo = (measured: number, more: Partial<MovedPartition> = {}): MovedPartition => ({
  partition: 0,
  logIdentity: 'old',
  measured,
  archived: measured,
  halted: null,
  ...more,
})

function storeOf(partitions: readonly MovedPartition[], named = table): MovingStore {
  const snapshot = {
    migration: 4,
    partitions,
    tables: [named],
    async *rows() {
      yield rows.slice(0, 1)
      yield rows.slice(1)
    },
  }
  return { snapshot: (work) => work(snapshot), close: () => Promise.resolve() }
}

function emptyStore(claimedLog: string | null = null) {
  const loaded: MovedRow[] = []
  const steps: string[] = []
  let onwards: MovedLog | null = null
  const store: EmptyStore = {
    inspect: () => Promise.resolve({ log: claimedLog }),
    claim: (_, log) => Promise.resolve(void steps.push(`claimed for ${log}`)),
    async load(work) {
      await work({
        begin: ({ name }) => Promise.resolve(void steps.push(`began ${name}`)),
        add: (_, some) => Promise.resolve(void loaded.push(...some)),
        goOn: (log) => {
          onwards = log
          return Promise.resolve()
        },
      })
      steps.push('loaded')
    },
    close: () => Promise.resolve(),
  }
  return { store, loaded, steps, onwards: () => onwards }
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moves-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const key = new Uint8Array(32).fill(9)
const exportAs = (name: string, needs: Partial<ExportNeeds> = {}) =>
  exportTo(
    {
      store: storeOf([measuredTo(8)]),
      log: logOf(5, [5, 6, 7, 8, 9].map(recordAt)).reader,
      formerly: ['older'],
      secretsKey: key,
      served: false,
      filesFolder: null,
      clock: clockOf(() => instantOf(0)),
      ...needs,
    },
    join(folder, name),
  )

const importOf = (
  name: string,
  target: ReturnType<typeof emptyStore>,
  into: ReturnType<typeof logOf>,
  more: Partial<ImportNeeds> = {},
) =>
  importFrom(
    {
      store: target.store,
      migrations: 4,
      openLog: () => Promise.resolve({ kind: 'kafka', onwards: 'new~', ...into }),
      takeKey: (given) => Promise.resolve(expect(given).toEqual(Buffer.from(key))),
      hasStorage: false,
      openFiles: () => Promise.reject(new Error('No files.')),
      bringUp: () => Promise.resolve(),
      ...more,
    },
    join(folder, name),
  )

describe('a move', () => {
  it('brings every row, and the end of the log with its offsets and log times', async () => {
    const { manifest } = await exportAs('all')
    expect(manifest.log).toMatchObject({ identity: 'old', formerly: ['older'] })
    const [target, into] = [emptyStore(), logOf(40, [], 'new')]
    await importOf('all', target, into)
    expect(target.loaded).toEqual(rows)
    expect(target.steps).toEqual(['claimed for new', 'began customers', 'loaded'])
    // From the record before the checkpoint on, which proves that the log is still the same one.
    expect(
      into.records.map(({ at, value, events }) => ({ at, events, value: [...value] })),
    ).toEqual(
      [7, 8, 9].map((offset) => ({ at: recordAt(offset).at, events: 2, value: [0, 255, offset] })),
    )
    expect(target.onwards()).toEqual({
      kind: 'kafka',
      identity: 'new~',
      origin: { starts: [{ stored: 40, offset: 7 }], formerly: ['older', 'old'] },
    })
  })

  it('brings what is measured and not archived yet, and all of what was never measured', async () => {
    const from = async (name: string, positions: readonly MovedPartition[]) => {
      const { manifest } = await exportAs(name, { store: storeOf(positions) })
      return manifest.log?.partitions.map((one) => [one.from, one.records, one.events])
    }
    expect(await from('behind', [measuredTo(9, { archived: 6 })])).toEqual([[5, 5, 10]])
    expect(await from('never archived', [measuredTo(9, { archived: null })])).toEqual([[5, 5, 10]])
    expect(await from('never measured', [])).toEqual([[5, 5, 10]])
    expect(await from('all done', [measuredTo(10)])).toEqual([[9, 1, 2]])
  })

  it('begins anew where the log gave a record another offset than the next one', async () => {
    await exportAs('all')
    const [target, into] = [emptyStore(), logOf(0, [], 'new')]
    let repeats = 1
    const log: EventLog = {
      ...into.log,
      append(records) {
        // An ack got lost, so the record was sent again.
        if (repeats > 0) into.put(records[0] as NewRecord)
        repeats -= 1
        return into.log.append(records)
      },
    }
    await importOf('all', target, { ...into, log })
    expect(target.onwards()?.origin.starts).toEqual([{ stored: 4, offset: 7 }])
    expect(into.records.slice(4).map(({ value }) => value[2])).toEqual([7, 8, 9])
  })

  it('goes on behind what an import that was cut short has left in the log', async () => {
    await exportAs('all')
    const left = () => logOf(0, [recordAt(0), recordAt(1)], 'new')
    await expect(importOf('all', emptyStore(), left())).rejects.toThrow('is not empty')
    await expect(importOf('all', emptyStore('another'), left())).rejects.toThrow('is not empty')
    const target = emptyStore('new')
    await importOf('all', target, left())
    expect(target.onwards()?.origin.starts).toEqual([{ stored: 2, offset: 7 }])
  })

  it('refuses store and log that do not fit together, and leaves nothing behind', async () => {
    const refused = (more: Partial<MovedPartition>, measured = 8) =>
      expect(exportAs('never', { store: storeOf([measuredTo(measured, more)]) })).rejects
    await refused({ halted: 'of a reason' }).toThrow('halted, since of a reason')
    await refused({ logIdentity: 'other' }).toThrow('not the one that was measured')
    await refused({}, 11).toThrow('ends at 10')
    await refused({}, 4).toThrow('begins at 5')
    const [five, , seven] = [5, 6, 7].map(recordAt)
    const log = logOf(5, [five, seven, recordAt(8)] as LogRecord[]).reader
    await expect(exportAs('never', { log, store: storeOf([measuredTo(5)]) })).rejects.toThrow(
      'Record 6 of partition 0 is not in the log any more',
    )
    expect(existsSync(join(folder, 'never'))).toBe(false)
    expect(existsSync(join(folder, 'never.partial'))).toBe(false)
  })

  it('refuses a damaged export, and one of a newer release, before it changes anything', async () => {
    const { path, manifest } = await exportAs('all')
    const target = emptyStore()
    const newer = importOf('all', target, logOf(0, [], 'new'), { migrations: 3 })
    await expect(newer).rejects.toThrow('newer release (migration 4, and this one knows 3)')
    appendFileSync(join(path, manifest.tables[0]?.file.path ?? ''), 'x')
    await expect(importOf('all', target, logOf(0, [], 'new'))).rejects.toThrow(
      'customers.ndjson.gz is damaged',
    )
    expect(target.steps).toEqual([])
  })

  it('leaves the events where they are if their log stays', async () => {
    const { manifest } = await exportAs('books', { log: null })
    expect(manifest.log).toBeNull()
    const target = emptyStore()
    await importOf('books', target, logOf(0, []), { openLog: () => Promise.resolve(null) })
    expect(target.loaded).toEqual(rows)
    expect(target.onwards()).toBeNull()
    expect(readFileSync(join(folder, 'books', 'secrets.key'), 'utf8').trim()).toBe(
      Buffer.from(key).toString('base64'),
    )
  })

  it('leaves images and files in their storage, and refuses to go on without it', async () => {
    const { manifest } = await exportAs('stored', {
      store: storeOf([measuredTo(8)], { ...table, name: 'files' }),
    })
    expect(manifest.kept).toBeUndefined()
    const target = emptyStore()
    await expect(importOf('stored', target, logOf(0, [], 'new'))).rejects.toThrow('set FILES_URL')
    expect(target.steps).toEqual([])
    await importOf('stored', target, logOf(0, [], 'new'), { hasStorage: true })
    expect(target.loaded).toEqual(rows)
  })
})
