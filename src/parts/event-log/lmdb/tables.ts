import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { limits } from '../../../limits.ts'
import type { EventsTrace } from '../../../std/trace.ts'
import { readTraces, writeTraces } from '../../../std/trace.ts'
import type { LmdbEnvironment, Table, WriteBatch } from '../../lmdb.ts'
import { openEnvironment } from '../../lmdb.ts'
import type { LogRecord, Offset, Partition } from '../port.ts'
import { decodeRecord } from './record.ts'

/** The environment of the embedded log: a table of records per partition, and one about the log. */
export interface LogTables {
  readonly environment: LmdbEnvironment
  readonly identity: string
  readonly partitions: readonly Table[]
  /** The first offset still kept and the one after the last, as of the latest commit. */
  bounds(partition: Partition): { readonly first: Offset; readonly end: Offset }
  /** Stores the new first offset, in the transaction that deletes the records below it. */
  setFirst(batch: WriteBatch, partition: Partition, first: Offset): void
  /** Traces lie beside the records, in which an earlier release would not look for them. */
  putTraces(batch: WriteBatch, at: RecordPlace, traces: readonly EventsTrace[]): void
  tracesOf(at: RecordPlace): readonly EventsTrace[] | null
  /** Removes those of records below `end`, in the transaction that deletes the records. */
  dropTraces(batch: WriteBatch, partition: Partition, end: Offset): void
  /** Whether any record has traces. */
  traced(): boolean
}

export interface RecordPlace {
  readonly partition: Partition
  readonly offset: Offset
}

const partitionsMax = 256

/** Opens the log that is there, or makes one of `partitions`; with null there must be one. */
export async function openLogTables(
  directory: string,
  partitions: number | null,
): Promise<LogTables> {
  assert(partitions === null || (partitions > 0 && partitions <= partitionsMax))
  // Durable: what a reader can see is on the disk, so no reader gets ahead of what was
  // acknowledged.
  const environment = openEnvironment({ directory, tablesMax: partitionsMax + 3, durable: true })
  const about = environment.table('about')
  const log = readAbout(about) ?? (await create())
  if (partitions !== null && log.partitions !== partitions) {
    await environment.close()
    throw new Error(
      `The event log in ${directory} has ${log.partitions} partitions, not ${partitions}: ids ` +
        'would move to other partitions and be billed again. Start with the same number.',
    )
  }
  const tables = Array.from({ length: log.partitions }, (_, index) =>
    environment.table(`partition-${index}`),
  )
  const traces = environment.table('traces')
  return {
    environment,
    identity: log.identity,
    partitions: tables,
    bounds,
    setFirst,
    ...tracesIn(traces),
  }

  async function create(): Promise<About> {
    if (partitions === null) {
      await environment.close()
      throw new Error(`There is no event log in ${directory}.`)
    }
    const created: About = { format, identity: randomUUID(), partitions }
    await environment.commit((batch) => batch.put(about, 'log', text(created)))
    return created
  }

  function bounds(partition: Partition): { first: Offset; end: Offset } {
    environment.refresh()
    const table = tableOf(tables, partition)
    const stored = about.get(['first', partition])
    const floor = stored === null ? 0 : (JSON.parse(Buffer.from(stored).toString()) as number)
    const [first, last] = [table.firstKey(), table.lastKey()]
    // A log that was trimmed to nothing still knows its end, so no offset is ever given twice.
    if (typeof first !== 'number' || typeof last !== 'number') return { first: floor, end: floor }
    assert(first >= floor)
    return { first, end: last + 1 }
  }

  function setFirst(batch: WriteBatch, partition: Partition, first: Offset): void {
    batch.put(about, ['first', partition], text(first))
  }
}

function tracesIn(
  table: Table,
): Pick<LogTables, 'putTraces' | 'tracesOf' | 'dropTraces' | 'traced'> {
  return {
    putTraces: (batch, { partition, offset }, traces) =>
      batch.put(table, [partition, offset], text(traces.map((one) => writeTraces([one])))),
    tracesOf({ partition, offset }) {
      const stored = table.get([partition, offset])
      if (stored === null) return null
      const written = JSON.parse(Buffer.from(stored).toString()) as string[]
      return readTraces(written.join(), limits.recordTracesMax)
    },
    dropTraces(batch, partition, end) {
      const dropped = { start: [partition, 0], end: [partition, end], limit: 100_000 }
      for (const key of [...table.keys(dropped)]) batch.remove(table, key)
    },
    traced: () => table.firstKey() !== null,
  }
}

export function tableOf(tables: readonly Table[], partition: Partition): Table {
  const table = tables[partition]
  assert(
    table !== undefined,
    `The event log has ${tables.length} partitions, none is ${partition}.`,
  )
  return table
}

export interface RecordStretch {
  readonly from: Offset
  /** Exclusive: never more than what is durable. */
  readonly end: Offset
  readonly bytesMax: number
  /** Without it, a record larger than `bytesMax` would never be read. */
  readonly atLeastOne: boolean
}

/** Reads records of a partition in order; begins at the first kept one where `from` was trimmed. */
export function readRecordStretch(
  tables: LogTables,
  partition: Partition,
  stretch: RecordStretch,
): LogRecord[] {
  const { from, end, bytesMax, atLeastOne } = stretch
  const table = tableOf(tables.partitions, partition)
  const records: LogRecord[] = []
  let bytes = 0
  let offset = from
  const traced = tables.traced()
  while (offset < end) {
    const stored = table.get(offset)
    if (stored === null) {
      const { first } = tables.bounds(partition)
      if (first <= offset) break
      offset = first
      continue
    }
    const record = decodeRecord(partition, offset, stored)
    bytes += record.value.length
    if (bytes > bytesMax && !(atLeastOne && records.length === 0)) break
    const traces = traced ? tables.tracesOf(record) : null
    records.push(traces === null ? record : { ...record, traces })
    offset += 1
  }
  return records
}

interface About {
  readonly format: typeof format
  readonly identity: string
  readonly partitions: number
}
const format = 1

const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

function readAbout(table: Table): About | null {
  const stored = table.get('log')
  if (stored === null) return null
  const about = JSON.parse(Buffer.from(stored).toString()) as About
  if (about.format !== format) {
    throw new Error(`The event log was written in format ${about.format}; this one is ${format}.`)
  }
  return about
}
