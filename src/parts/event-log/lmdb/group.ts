import assert from 'node:assert/strict'
import { raise, raised, raisesSeen } from '../../../runtime/shared-signal.ts'
import type { ShareRoom } from '../../../std/in-shares.ts'
import { inShares } from '../../../std/in-shares.ts'
import type { GroupHandler, LogGroup, LogRecord, LogSlice, Offset, Partition } from '../port.ts'
import type { SharedLog } from './shared.ts'
import { sharedEnd } from './shared.ts'
import type { LogTables } from './tables.ts'
import { openLogTables, readRecordStretch } from './tables.ts'

export interface LmdbLogGroupNeeds {
  readonly directory: string
  readonly shared: SharedLog
  readonly handler: GroupHandler
}

/** A held partition: where it is read on; null until the handler has said so. */
interface Held {
  next: Offset | null
  paused: boolean
}

/**
 * The embedded log's group: one member, which holds every partition from its first poll to its end.
 * That poll asks the handler where to read each partition from; when the handler throws, the poll
 * throws, and the next poll asks again.
 */
export async function openLmdbLogGroup(needs: LmdbLogGroupNeeds): Promise<LogGroup> {
  const { directory, shared, handler } = needs
  const tables = await openLogTables(directory, shared.partitions)
  const held = tables.partitions.map((): Held => ({ next: null, paused: false }))
  let [turn, polling, closed] = [0, false, false]
  return { poll, seek, pause, close }

  async function poll(bytesMax: number, waitMs: number): Promise<readonly LogSlice[]> {
    assert(!polling, 'One poll at a time: two would each get a part of the order.')
    polling = true
    try {
      await take()
      return await wait(bytesMax, performance.now() + waitMs)
    } finally {
      polling = false
    }
  }

  async function take(): Promise<void> {
    for (const [partition, one] of held.entries()) {
      if (isForgotten(partition, one)) one.next = null
      if (one.next !== null || closed) continue
      const from = await handler.taken(partition)
      // A seek that came meanwhile counts, because it is younger than the answer.
      one.next ??= from
    }
  }

  /**
   * Whether the handler has dropped a partition. Nobody else can hold it here, so it is taken
   * again.
   */
  function isForgotten(partition: Partition, { next }: Held): boolean {
    if (next === null || next === Number.MAX_SAFE_INTEGER) return false
    return handler.position?.(partition) === null
  }

  async function wait(bytesMax: number, deadline: number): Promise<readonly LogSlice[]> {
    while (!closed) {
      const seen = raisesSeen(shared.words)
      const slices = collect(bytesMax)
      const left = deadline - performance.now()
      if (slices.length > 0 || left <= 0) return slices
      await raised(shared.words, seen, left)
    }
    return []
  }

  /** Each poll begins one partition further on, so that none is last for ever. */
  function collect(bytesMax: number): LogSlice[] {
    const ready = readyPartitions()
    if (ready.length === 0) return []
    turn += 1
    tables.environment.refresh()
    const taken = inShares(ready, bytesMax, { take: readOn, sizeOf: ({ value }) => value.length })
    return [...taken].map(([partition, records]) => ({ partition, records }))
  }

  function readOn(partition: Partition, room: ShareRoom): readonly LogRecord[] {
    const one = change(partition)
    const [from, end] = [one.next ?? 0, sharedEnd(shared, partition)]
    if (from >= end) return []
    const records = readRoom(tables, partition, { ...room, from, end })
    const last = records.at(-1)
    if (last !== undefined) one.next = last.offset + 1
    return records
  }

  function readyPartitions(): Partition[] {
    const { length } = held
    return Array.from({ length }, (_, index) => (turn + index) % length).filter((partition) => {
      const one = held[partition]
      if (one === undefined || one.paused || one.next === null) return false
      return one.next < sharedEnd(shared, partition)
    })
  }

  function seek(partition: Partition, offset: Offset): void {
    change(partition).next = offset
    raise(shared.words)
  }

  function pause(partition: Partition, paused: boolean): void {
    change(partition).paused = paused
    raise(shared.words)
  }

  function change(partition: Partition): Held {
    const one = held[partition]
    assert(one !== undefined, `The event log has ${held.length} partitions, none is ${partition}.`)
    return one
  }

  async function close(): Promise<void> {
    closed = true
    raise(shared.words)
    await tables.environment.close()
  }
}

interface Stretch extends ShareRoom {
  readonly from: Offset
  readonly end: Offset
}

function readRoom(
  tables: LogTables,
  partition: Partition,
  { from, end, share, left, atLeastOne }: Stretch,
): readonly LogRecord[] {
  const within = { from, end, bytesMax: share, atLeastOne }
  const records = readRecordStretch(tables, partition, within)
  if (records.length > 0 || atLeastOne) return records
  const larger = { from, end, bytesMax: left, atLeastOne: false }
  return readRecordStretch(tables, partition, larger).slice(0, 1)
}
