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
  /** The partitions for which something is queued. */
  partitions(): Iterable<number>
  isEmpty(partition: number): boolean
  /** All queues; none is empty, and each begins with the oldest part. */
  all(): Iterable<readonly Part[]>
  /** Whether any call still waits for what is queued there. If none does, the queue is dropped. */
  isWaitedFor(partition: number): boolean
}

/**
 * The one batching queue of the process: the edge uses it in front of a log, and Kafka's sender.
 */
export function openPartitionQueues<Part extends QueuedPart>(): PartitionQueues<Part> {
  /** None of these queues is empty. */
  const queues = new Map<number, Part[]>()
  return {
    add,
    putBack,
    take,
    partitions: () => queues.keys(),
    isEmpty: (partition) => !queues.has(partition),
    all: () => queues.values(),
    isWaitedFor,
  }

  function add(partition: number, part: Part): void {
    const queue = queues.get(partition)
    if (queue === undefined) queues.set(partition, [part])
    else queue.push(part)
  }

  function putBack(partition: number, parts: readonly Part[]): void {
    if (parts.length > 0) queues.set(partition, [...parts, ...(queues.get(partition) ?? [])])
  }

  function take(partition: number, bytesMax: number): readonly Part[] {
    const queue = queues.get(partition)
    if (queue === undefined) return []
    let [bytes, count] = [0, 0]
    for (const part of queue) {
      const size = part.call.over ? 0 : part.bytes
      if (bytes > 0 && bytes + size > bytesMax) break
      bytes += size
      count += 1
    }
    // Measured: handing out the queue itself where all of it is taken doubles the cost of a
    // request.
    const taken = queue.splice(0, count)
    if (queue.length === 0) queues.delete(partition)
    return taken.filter(({ call }) => !call.over)
  }

  function isWaitedFor(partition: number): boolean {
    if (queues.get(partition)?.some(({ call }) => !call.over) === true) return true
    queues.delete(partition)
    return false
  }
}
