import { statfs } from 'node:fs/promises'
import type { LogReader, LogRecord, Offset, Partition } from '../port.ts'
import type { SharedLog } from './shared.ts'
import { commitsSettled, sharedEnd } from './shared.ts'
import { openLogTables, readRecordStretch, tableOf } from './tables.ts'

/** The embedded log's reader can also tell how much room the log takes. */
export interface LmdbLogReader extends LogReader {
  /**
   * The share of the log, 0 to 1, that is too much for these bounds; 1 also where the disk is too
   * full.
   */
  excess(bound: { readonly bytesMax: number; readonly diskFreeMin: number }): Promise<number>
}

export interface LmdbLogReaderNeeds {
  readonly directory: string
  /** Null in a process other than the writer's, such as a command beside a running server. */
  readonly shared: SharedLog | null
}

/** Random access to the embedded log, from any thread or process. */
export async function openLmdbLogReader(needs: LmdbLogReaderNeeds): Promise<LmdbLogReader> {
  const { directory, shared } = needs
  const tables = await openLogTables(directory, shared?.partitions ?? null)
  const { environment, identity } = tables
  return {
    partitions: tables.partitions.length,
    identity,
    lagMax: 0,
    read,
    bounds,
    ends,
    trim,
    excess,
    close: () => environment.close(),
  }

  async function read(
    partition: Partition,
    from: Offset,
    bytesMax: number,
  ): Promise<readonly LogRecord[]> {
    const end = endOf(partition)
    environment.refresh()
    return readRecordStretch(tables, partition, { from, end, bytesMax, atLeastOne: true })
  }

  async function bounds(partition: Partition): Promise<{ first: Offset; end: Offset }> {
    if (shared !== null) await commitsSettled(shared, settleMs)
    const { first } = tables.bounds(partition)
    return { first, end: endOf(partition) }
  }

  async function ends(of: readonly Partition[]): Promise<readonly Offset[]> {
    if (shared !== null) await commitsSettled(shared, settleMs)
    return of.map(endOf)
  }

  function endOf(partition: Partition): Offset {
    // In a durable environment everything that can be seen is durable, so the end found in its
    // tables is as good as the shared one.
    return shared === null ? tables.bounds(partition).end : sharedEnd(shared, partition)
  }

  /** Deletes in small transactions: LMDB has one writer at a time, and appends wait for it. */
  async function trim(partition: Partition, offset: Offset): Promise<void> {
    const table = tableOf(tables.partitions, partition)
    const until = Math.min(offset, endOf(partition))
    for (;;) {
      environment.refresh()
      const keys = [...table.keys({ start: 0, end: until, limit: trimMax })].map(Number)
      const last = keys.at(-1)
      if (last === undefined) return
      await environment.commit((batch) => {
        for (const key of keys) batch.remove(table, key)
        tables.setFirst(batch, partition, last + 1)
        tables.dropTraces(batch, partition, last + 1)
      })
    }
  }

  async function excess(bound: {
    readonly bytesMax: number
    readonly diskFreeMin: number
  }): Promise<number> {
    const disk = await statfs(directory)
    // On a disk that is too full everything is too much: keeping records must not cost refused
    // events.
    if (disk.bavail * disk.bsize < bound.diskFreeMin) return 1
    environment.refresh()
    const used = environment.usedBytes()
    return used <= bound.bytesMax ? 0 : (used - bound.bytesMax) / used
  }
}

const settleMs = 10_000
const trimMax = 256
