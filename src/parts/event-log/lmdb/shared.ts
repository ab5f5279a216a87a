import type { Offset, Partition } from '../port.ts'

/**
 * What the writer of the embedded log shares with its readers in other threads. The main thread
 * makes it and sends it to them.
 *
 *  words: wakes, commits begun, commits ended, –      ends: one 64-bit offset a partition
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
const [wakes, begun, ended] = [0, 1, 2]

/** The offset that the partition's next record will get: everything below is durable. */
export const sharedEnd = (shared: SharedLog, partition: Partition): Offset =>
  Number(Atomics.load(shared.ends, partition))

export function publishEnd(shared: SharedLog, partition: Partition, end: Offset): void {
  Atomics.store(shared.ends, partition, BigInt(end))
}

/** Ends every wait, because something may have changed. */
export function wake(shared: SharedLog): void {
  Atomics.add(shared.words, wakes, 1)
  Atomics.notify(shared.words, wakes)
}

export const wakesSeen = (shared: SharedLog): number => Atomics.load(shared.words, wakes)

/** Waits until a wake after the one that was `seen`, or for `waitMs`. */
export async function woken(shared: SharedLog, seen: number, waitMs: number): Promise<void> {
  const wait = waitAsync(shared.words, wakes, seen, waitMs)
  if (!wait.async) return
  // Keeps the thread alive: neither a pending wait nor its timeout does.
  const alive = setInterval(() => undefined, 60_000)
  await wait.value
  clearInterval(alive)
}

/** Called before a commit takes its log time. */
export const beginCommit = (shared: SharedLog): number => Atomics.add(shared.words, begun, 1)

/** Called after the commit's ends are published, or after it has failed. */
export function endCommit(shared: SharedLog): void {
  Atomics.add(shared.words, ended, 1)
  wake(shared)
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
    const seen = wakesSeen(shared)
    // The counters wrap around, so their difference is taken as a signed word.
    if (((Atomics.load(shared.words, ended) - target) | 0) >= 0) return
    const left = deadline - performance.now()
    if (left <= 0) throw new Error('The event log has not finished a commit in time.')
    await woken(shared, seen, left)
  }
}

type Wait =
  | { readonly async: false; readonly value: string }
  | { readonly async: true; readonly value: Promise<string> }

/** In Node since 16; TypeScript's library es2023 does not know it yet. */
const waitAsync = Reflect.get(Atomics, 'waitAsync') as (
  words: Int32Array<SharedArrayBuffer>,
  index: number,
  seen: number,
  waitMs: number,
) => Wait
