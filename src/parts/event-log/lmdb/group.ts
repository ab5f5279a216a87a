import assert from 'node:assert/strict'
import { raise, raised, raisesSeen } from '../../../runtime/shared-signal.ts'
import type { GroupHandler, LogGroup, LogSlice, Offset, Partition } from '../port.ts'
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

  /**
   * Each partition with records may take an equal part of what is left, and leaves the rest to
   * those behind it. Each poll begins one partition further on, so that none is last for ever.
   */
  function collect(bytesMax: number): LogSlice[] {
    const ready = readyPartitions()
    if (ready.length === 0) return []
    turn += 1
    tables.environment.refresh()
    const slices: LogSlice[] = []
    let left = bytesMax
    for (const [index, partition] of ready.entries()) {
      const slice = readSlice(tables, partition, {
        from: held[partition]?.next ?? 0,
        end: sharedEnd(shared, partition),
        share: Math.floor(left / (ready.length - index)),
        left,
        atLeastOne: slices.length === 0,
      })
      const last = slice.records.at(-1)
      const one = held[partition]
      if (last === undefined || one === undefined) continue
      one.next = last.offset + 1
      left -= slice.records.reduce((sum, record) => sum + record.value.length, 0)
      slices.push(slice)
    }
    return slices
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

interface Share {
  readonly from: Offset
  readonly end: Offset
  readonly share: number
  readonly left: number
  readonly atLeastOne: boolean
}

function readSlice(tables: LogTables, partition: Partition, share: Share): LogSlice {
  const { from, end, left, atLeastOne } = share
  const records = readRecordStretch(tables, partition, {
    from,
    end,
    bytesMax: share.share,
    atLeastOne,
  })
  if (records.length > 0 || atLeastOne) return { partition, records }
  // A single record that is larger than the share is taken if it fits into what is left.
  const one = readRecordStretch(tables, partition, { from, end, bytesMax: left, atLeastOne: false })
  return { partition, records: one.slice(0, 1) }
}
