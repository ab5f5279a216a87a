import { limits } from '../../../limits.ts'
import type { QueuedCall } from '../../../runtime/partition-queues.ts'
import { openPartitionQueues } from '../../../runtime/partition-queues.ts'
import type { Listed } from '../../../std/roster.ts'
import type { PartitionMetadata } from '../protocol/metadata.ts'
import type { OutRecord } from '../protocol/record-batch.ts'

/** One call that waits until all of its records are stored, or until one of them cannot be. */
export interface Sending extends QueuedCall, Listed {
  stored(index: number, offset: number): void
  fail(error: Error): void
}

/** One record of a call, on its way. */
export interface SentRecord {
  readonly record: OutRecord
  readonly bytes: number
  readonly call: Sending
  readonly index: number
}

/** What one request carries for one partition. */
export interface Load {
  readonly partition: number
  readonly parcels: readonly SentRecord[]
}

/** The records that wait for Kafka, and how many bytes of them one batch may carry. */
export interface SendQueues {
  add(partition: number, parcel: SentRecord): void
  isEmpty(partition: number): boolean
  /** Whether something waits for a partition that nobody leads. */
  someWithout(leaders: readonly PartitionMetadata[]): boolean
  /** Takes what one request can carry, and drops records whose callers no longer wait. */
  load(partitions: readonly number[]): readonly Load[]
  putBack(load: Load): void
  /** From now on a load carries at most half as much. */
  shrink(): void
  /** A load was stored: after enough of them in a row, loads that were halved may double again. */
  stored(): void
}

export function openSendQueues(): SendQueues {
  const queues = openPartitionQueues<SentRecord>()
  let batchBytesMax: number = limits.kafkaBatchBytesMax
  let inARow = 0
  return {
    add: queues.add,
    isEmpty: queues.isEmpty,
    someWithout,
    load,
    putBack: ({ partition, parcels }) => queues.putBack(partition, parcels),
    shrink,
    stored,
  }

  function someWithout(leaders: readonly PartitionMetadata[]): boolean {
    for (const partition of queues.partitions()) {
      if (!queues.isWaitedFor(partition)) continue
      if (!leaders.some((one) => one.partition === partition && one.leader >= 0)) return true
    }
    return false
  }

  function load(partitions: readonly number[]): readonly Load[] {
    const loads: Load[] = []
    let left: number = limits.kafkaRequestBytesMax
    for (const partition of partitions) {
      const parcels = queues.take(partition, Math.min(left, batchBytesMax))
      if (parcels.length === 0) continue
      left -= parcels.reduce((sum, { bytes }) => sum + bytes, 0)
      loads.push({ partition, parcels })
      if (left <= 0) break
    }
    return loads
  }

  function shrink(): void {
    inARow = 0
    batchBytesMax = Math.max(Math.floor(batchBytesMax / 2), 1)
  }

  /** Where the bound still holds, one load in so many is refused, and sent again in halves. */
  function stored(): void {
    if (batchBytesMax >= limits.kafkaBatchBytesMax) return
    inARow += 1
    if (inARow < limits.kafkaGrowAfter) return
    inARow = 0
    batchBytesMax = Math.min(batchBytesMax * 2, limits.kafkaBatchBytesMax)
  }
}
