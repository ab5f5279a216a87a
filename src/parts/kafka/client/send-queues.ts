import { limits } from '../../../limits.ts'
import type { PartitionMetadata } from '../protocol/metadata.ts'
import type { OutRecord } from '../protocol/record-batch.ts'

/** One call that waits until all of its records are stored, or one of them cannot be. */
export interface Sending {
  over: boolean
  left: number
  stored(index: number, offset: number): void
  fail(error: Error): void
}

/** One record of it on its way. */
export interface Parcel {
  readonly record: OutRecord
  readonly bytes: number
  readonly sending: Sending
  readonly index: number
}

/** What one request carries for one partition. */
export interface Load {
  readonly partition: number
  readonly parcels: readonly Parcel[]
}

/** What waits, partition by partition, in the order of arrival. */
export interface Queues {
  add(partition: number, parcel: Parcel): void
  isEmpty(partition: number): boolean
  /** Whether something waits for a partition that nobody leads. */
  someWithout(leaders: readonly PartitionMetadata[]): boolean
  /** Takes what one request can carry, but nothing that nobody waits for any more. */
  load(partitions: readonly number[]): readonly Load[]
  putBack(load: Load): void
  /** From now on at most half of what was one load. */
  shrink(): void
  /** A load was stored: after enough of them in a row, loads of a smaller size double again. */
  stored(): void
}

export function openQueues(): Queues {
  const queues = new Map<number, Parcel[]>()
  let batchBytesMax: number = limits.kafkaBatchBytesMax
  let inARow = 0
  return { add, isEmpty, someWithout, load, putBack, shrink, stored }

  function add(partition: number, parcel: Parcel): void {
    const queue = queues.get(partition)
    if (queue === undefined) queues.set(partition, [parcel])
    else queue.push(parcel)
  }

  function isEmpty(partition: number): boolean {
    const queue = queues.get(partition)
    return queue === undefined || queue.length === 0
  }

  function someWithout(leaders: readonly PartitionMetadata[]): boolean {
    for (const [partition, queue] of queues) {
      if (!queue.some(({ sending }) => !sending.over)) queue.length = 0
      if (queue.length === 0) continue
      if (!leaders.some((one) => one.partition === partition && one.leader >= 0)) return true
    }
    return false
  }

  function load(partitions: readonly number[]): readonly Load[] {
    const loads: Load[] = []
    let left: number = limits.kafkaRequestBytesMax
    for (const partition of partitions) {
      const parcels = taken(queues.get(partition) ?? [], Math.min(left, batchBytesMax))
      if (parcels.length === 0) continue
      left -= parcels.reduce((sum, { bytes }) => sum + bytes, 0)
      loads.push({ partition, parcels })
      if (left <= 0) break
    }
    return loads
  }

  function taken(queue: Parcel[], bytesMax: number): readonly Parcel[] {
    let [bytes, count] = [0, 0]
    for (const parcel of queue) {
      const size = parcel.sending.over ? 0 : parcel.bytes
      if (bytes > 0 && bytes + size > bytesMax) break
      bytes += size
      count += 1
    }
    return queue.splice(0, count).filter(({ sending }) => !sending.over)
  }

  function putBack({ partition, parcels }: Load): void {
    queues.set(partition, [...parcels, ...(queues.get(partition) ?? [])])
  }

  function shrink(): void {
    inARow = 0
    batchBytesMax = Math.max(Math.floor(batchBytesMax / 2), 1)
  }

  /** A bound that is still there refuses one load in so many, which is sent again in halves. */
  function stored(): void {
    if (batchBytesMax >= limits.kafkaBatchBytesMax) return
    inARow += 1
    if (inARow < limits.kafkaGrowAfter) return
    inARow = 0
    batchBytesMax = Math.min(batchBytesMax * 2, limits.kafkaBatchBytesMax)
  }
}
