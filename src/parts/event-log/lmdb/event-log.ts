import assert from 'node:assert/strict'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { limits } from '../../../limits.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { syncOne } from '../../../runtime/copying.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { passing } from '../../../runtime/moments.ts'
import { pauseFor } from '../../../runtime/pause.ts'
import type { Instant } from '../../../std/instant.ts'
import type { EventsTrace } from '../../../std/trace.ts'
import type { EventLog, NewRecord, Offset, Partition } from '../port.ts'
import type { DiskRoom } from './disk-room.ts'
import { openDiskRoom, unavailable } from './disk-room.ts'
import { encodeRecord, stampRecord } from './record.ts'
import type { SharedLog } from './shared.ts'
import { beginCommit, endCommit, publishEnd } from './shared.ts'
import type { LogTables } from './tables.ts'
import { openLogTables, tableOf } from './tables.ts'

export interface LmdbEventLogNeeds {
  readonly directory: string
  readonly partitions: number
  readonly shared: SharedLog
  /** Most bytes of records to keep; above it `append` refuses. */
  readonly budgetBytes: number
  /** Bytes of the disk that the log leaves free. */
  readonly diskReserveBytes: number
  readonly clock: Clock
  readonly logger: Logger
  readonly checkIntervalMs?: number
  /** How long a commit may take before its callers are told that the log is away. */
  readonly stallMs?: number
}

/**
 * The embedded event log's only writer.
 *
 * It commits in groups, one commit at a time: appends that arrive during a commit share the next
 * one. Overlapping commits would be a little faster and less certain: offsets are given out when a
 * commit starts, so one that failed would leave a hole behind which its successor stands.
 */
export async function openLmdbEventLog(options: LmdbEventLogNeeds): Promise<EventLog> {
  const { directory, partitions, shared } = options
  assert(shared.partitions === partitions)
  await syncLeftovers(directory)
  const tables = await openLogTables(directory, partitions)
  await syncNames(directory)
  const room = await openDiskRoom({
    checkIntervalMs: 500,
    ...options,
    environment: tables.environment,
  })
  const writer = createWriter({ tables, room, stallMs: 10_000, ...options })
  return { partitions, identity: tables.identity, append: writer.append, lacks, close }

  function lacks(): string | null {
    return room.lacks(limits.recordBytesMax)
  }

  async function close(): Promise<void> {
    await writer.close()
    room.close()
  }
}

/** `at` null: the commit says when it was appended. */
interface EncodedRecord {
  readonly partition: Partition
  readonly at: Instant | null
  readonly traces: readonly EventsTrace[] | null
  readonly bytes: Buffer
}

/** An append that waits for its commit. */
interface Waiting {
  readonly records: readonly EncodedRecord[]
  readonly size: number
  resolve(offsets: readonly Offset[]): void
  reject(error: Error): void
}

interface WriterNeeds {
  readonly tables: LogTables
  readonly room: DiskRoom
  readonly shared: SharedLog
  readonly clock: Clock
  readonly stallMs: number
}

function createWriter({ tables, room, shared, clock, stallMs }: WriterNeeds) {
  const next = tables.partitions.map((_, partition) => publish(partition))
  let waiting: Waiting[] = []
  let [closed, stalled] = [false, false]
  let writing: Promise<void> | null = null
  return { append, close }

  async function append(records: readonly NewRecord[]): Promise<readonly Offset[]> {
    if (closed) throw unavailable('The event log is closed.')
    if (stalled) throw unavailable('The event log waits for its disk.')
    for (const { partition } of records) tableOf(tables.partitions, partition)
    if (records.length === 0) return []
    const encoded = records.map((record) => ({
      partition: record.partition,
      at: record.at ?? null,
      traces: record.traces ?? null,
      bytes: encodeRecord(record),
    }))
    const size = encoded.reduce((sum, { bytes }) => sum + bytes.length, 0)
    room.reserve(size)
    return new Promise((resolve, reject) => {
      waiting.push({ records: encoded, size, resolve, reject })
      writing ??= write()
    })
  }

  async function write(): Promise<void> {
    // Waits one turn of microtasks, so that appends made together are committed together.
    await Promise.resolve()
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await commit(group)
    }
    writing = null
  }

  async function commit(group: readonly Waiting[]): Promise<void> {
    beginCommit(shared)
    const now = clock.now()
    const ends = [...next]
    const offsets = group.map(({ records }) =>
      records.map(({ partition, at, bytes }) => {
        stampRecord(bytes, at ?? now)
        const offset = ends[partition] ?? 0
        ends[partition] = offset + 1
        return offset
      }),
    )
    const timer = setTimeout(stall, stallMs, group)
    const bytes = group.reduce((sum, { size }) => sum + size, 0)
    const failure = (await room.exhausted(bytes)) ?? (await store(group, offsets))
    passing('stored')
    clearTimeout(timer)
    stalled = false
    for (const partition of next.keys()) {
      // After a failure only the environment knows for certain where each partition ends.
      if (failure !== null) next[partition] = publish(partition)
      else if (next[partition] !== ends[partition]) {
        next[partition] = ends[partition] ?? 0
        publishEnd(shared, partition, next[partition])
      }
    }
    endCommit(shared)
    group.forEach((one, index) => {
      room.settle(one.size, failure === null)
      if (failure === null) one.resolve(offsets[index] ?? [])
      else one.reject(unavailable('The event log could not write.', { cause: failure }))
    })
  }

  async function store(
    group: readonly Waiting[],
    offsets: readonly (readonly Offset[])[],
  ): Promise<Error | null> {
    try {
      await tables.environment.commit((batch) => {
        group.forEach(({ records }, one) => {
          records.forEach(({ partition, traces, bytes }, index) => {
            const offset = offsets[one]?.[index] ?? 0
            batch.append(tableOf(tables.partitions, partition), offset, bytes)
            if (traces !== null) tables.putTraces(batch, { partition, offset }, traces)
          })
        })
      })
      return null
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  /**
   * Tells callers when a commit takes too long: LMDB says nothing of a disk that hangs or is lost.
   */
  function stall(group: readonly Waiting[]): void {
    stalled = true
    const late = unavailable('The event log waits for its disk.')
    for (const one of group) one.reject(late)
    for (const one of waiting) {
      one.reject(late)
      room.settle(one.size, false)
    }
    waiting = []
  }

  function publish(partition: Partition): Offset {
    const { end } = tables.bounds(partition)
    publishEnd(shared, partition, end)
    return end
  }

  async function close(): Promise<void> {
    closed = true
    while (writing !== null && !stalled) {
      await Promise.race([writing, pauseFor(50)])
    }
    // Closing an environment waits for its writes: with a disk that hangs, for ever. So it is left
    // open then.
    if (!stalled) await tables.environment.close()
  }
}

/**
 * A process killed in the middle of a commit can leave pages that the system holds but the disk
 * does not: they can be read now, and are gone after a power cut. So they are synced before anyone
 * reads them.
 */
async function syncLeftovers(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  try {
    const file = await open(join(directory, 'data.mdb'), 'r+')
    await file.sync().finally(() => file.close())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** A new file is durable only once the folder entries that lead to it are. */
async function syncNames(directory: string): Promise<void> {
  for (const path of [directory, dirname(directory)]) await syncOne(path)
}
