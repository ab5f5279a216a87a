/**
 * A call whose parts wait in queues. It is over when all of them are done, or when the first of
 * them has failed; what is left of it in the queues then leaves with nobody.
 */
export interface QueuedCall {
  /** Parts that are not done. */
  left: number
  over: boolean
}

/** One part of a call that has ended well. True where that was the last one. */
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

/** What waits to be sent together, partition by partition, in the order of arrival. */
export interface PartitionQueues<Part extends QueuedPart> {
  add(partition: number, part: Part): void
  /** Before all that waits there. */
  putBack(partition: number, parts: readonly Part[]): void
  /**
   * Takes from the front what fits into `bytesMax`, at least one part. What belongs to a call that
   * is over is taken along for nothing, and left out of the answer.
   */
  take(partition: number, bytesMax: number): readonly Part[]
  /** Where something is queued. */
  partitions(): Iterable<number>
  isEmpty(partition: number): boolean
  /** All that is queued: none of the queues is empty, and each begins with what came first. */
  all(): Iterable<readonly Part[]>
  /** Whether anybody waits for what is queued there. If not, it is forgotten. */
  isWaitedFor(partition: number): boolean
}

/** The one batching queue of the process: of the edge in front of a log, and of Kafka's sender. */
export function openPartitionQueues<Part extends QueuedPart>(): PartitionQueues<Part> {
  /** None of them is empty. */
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
    // Measured: to give away the queue itself where all is taken doubles what a request costs.
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
