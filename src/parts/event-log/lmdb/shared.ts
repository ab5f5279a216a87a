import { raise, raised, raisesSeen } from '../../../runtime/shared-signal.ts'
import type { Offset, Partition } from '../port.ts'

/**
 * What the writer of the embedded log shares with its readers in other threads. The main thread
 * makes it and sends it to them.
 *
 *  words: a signal that something may have changed,    ends: one 64-bit offset a partition
 *         commits begun, commits ended, –
 */
export interface SharedLog {
  readonly partitions: number
  readonly words: Int32Array<SharedArrayBuffer>
  readonly ends: BigInt64Array<SharedArrayBuffer>
}

export function createSharedLog(partitions: number): SharedLog {
  const buffer = new SharedArrayBuffer(wordsBytes + partitions * 8)
  return {
    partitions,
    words: new Int32Array(buffer, 0, wordsBytes / 4),
    ends: new BigInt64Array(buffer, wordsBytes),
  }
}

const wordsBytes = 16
const [begun, ended] = [1, 2]

/** The offset that the partition's next record will get: everything below is durable. */
export const sharedEnd = (shared: SharedLog, partition: Partition): Offset =>
  Number(Atomics.load(shared.ends, partition))

export function publishEnd(shared: SharedLog, partition: Partition, end: Offset): void {
  Atomics.store(shared.ends, partition, BigInt(end))
}

/** Called before a commit takes its log time. */
export const beginCommit = (shared: SharedLog): number => Atomics.add(shared.words, begun, 1)

/** Called after the commit's ends are published, or after it has failed. */
export function endCommit(shared: SharedLog): void {
  Atomics.add(shared.words, ended, 1)
  raise(shared.words)
}

/**
 * Waits for the commit in flight, if there is one. A caller that notes the time, then waits, then
 * reads the ends knows that every record of an earlier log time lies below them: the watermark of
 * an idle partition depends on it. [machines#boundaries]
 */
export async function commitsSettled(shared: SharedLog, waitMs: number): Promise<void> {
  const target = Atomics.load(shared.words, begun)
  const deadline = performance.now() + waitMs
  for (;;) {
    const seen = raisesSeen(shared.words)
    // The counters wrap around, so their difference is taken as a signed word.
    if (((Atomics.load(shared.words, ended) - target) | 0) >= 0) return
    const left = deadline - performance.now()
    if (left <= 0) throw new Error('The event log has not finished a commit in time.')
    await raised(shared.words, seen, left)
  }
}
