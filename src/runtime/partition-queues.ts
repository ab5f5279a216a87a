/**
 * A call whose parts wait in queues. It is over when all of them are done, or when the first one
 * has failed; parts of it that are still queued are then dropped.
 */
export interface QueuedCall {
  /** How many parts are not done. */
  left: number
  over: boolean
}

/** One part of a call has ended well. True where that was the last one. */
export function partDone(call: QueuedCall): boolean {
  if (call.over) return false
  call.left -= 1
  call.over = call.left === 0
  return call.over
}

/** The call has failed. False where it was over already. */
export function callFailed(call: QueuedCall): boolean {
  if (call.over) return false
  call.over = true
  return true
}

/** Something for one partition, and the call that waits for it. */
export interface QueuedPart {
  readonly bytes: number
  readonly call: QueuedCall
}

/** What waits to be sent together, by partition and in the order of arrival. */
export interface PartitionQueues<Part extends QueuedPart> {
  add(partition: number, part: Part): void
  /** Puts parts back in front of all that waits there. */
  putBack(partition: number, parts: readonly Part[]): void
  /**
   * Takes from the front what fits into `bytesMax`, at least one part. Parts of a call that is over
   * are taken, too, but left out of the answer.
   */
  take(partition: number, bytesMax: number): readonly Part[]
  /** The partitions for which something is queued, in ascending order. */
  partitions(): readonly number[]
  isEmpty(partition: number): boolean
  /** By partition: what is queued for it, the oldest part first. Some are empty. */
  all(): readonly (readonly Part[])[]
  /** Whether any call still waits for what is queued there. If none does, the queue is dropped. */
  isWaitedFor(partition: number): boolean
}

/**
 * The one batching queue of the process: the edge uses it in front of a log, and Kafka's sender.
 *
 * By place and not in a `Map`: queues become empty and full again a thousand times a second, and
 * each table that a `Map` leaves behind would lead to the next one, and to all that ever waited
 * (std/roster.ts).
 */
export function openPartitionQueues<Part extends QueuedPart>(): PartitionQueues<Part> {
  const queues: Part[][] = []
  return {
    add: (partition, part) => void queueOf(partition).push(part),
    putBack(partition, parts) {
      if (parts.length > 0) queues[partition] = [...parts, ...queueOf(partition)]
    },
    take,
    partitions,
    isEmpty: (partition) => queueOf(partition).length === 0,
    all: () => queues,
    isWaitedFor,
  }

  function queueOf(partition: number): Part[] {
    while (queues.length <= partition) queues.push([])
    return queues[partition] as Part[]
  }

  function partitions(): readonly number[] {
    const found: number[] = []
    for (const [partition, queue] of queues.entries()) if (queue.length > 0) found.push(partition)
    return found
  }

  function take(partition: number, bytesMax: number): readonly Part[] {
    const queue = queueOf(partition)
    let [bytes, count, over] = [0, 0, 0]
    for (const part of queue) {
      const size = part.call.over ? 0 : part.bytes
      if (bytes > 0 && bytes + size > bytesMax) break
      bytes += size
      count += 1
      if (part.call.over) over += 1
    }
    queues[partition] = queue.splice(count)
    return over === 0 ? queue : queue.filter(({ call }) => !call.over)
  }

  function isWaitedFor(partition: number): boolean {
    if (queueOf(partition).some(({ call }) => !call.over)) return true
    queues[partition] = []
    return false
  }
}
