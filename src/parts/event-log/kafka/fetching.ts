import { limits } from '../../../limits.ts'
import { pauseFor } from '../../../runtime/pause.ts'
import type { TopicClient } from '../../kafka/client/topic-client.ts'
import { errorOf, reactionTo } from '../../kafka/errors.ts'
import type { Fetched } from '../../kafka/protocol/fetch.ts'
import { fetchRequest } from '../../kafka/protocol/fetch.ts'
import { readBatches } from '../../kafka/protocol/record-batch.ts'
import { usageTopic } from '../../kafka/settings.ts'
import type { Partition } from '../port.ts'
import type { ReadAhead } from './read-ahead.ts'
import { extend } from './read-ahead.ts'
import { decodeRecord } from './record.ts'
import type { Signal } from './signal.ts'

export interface FetchingNeeds {
  readonly topic: TopicClient
  /** The partitions that this member holds, with what it has read of each. */
  readonly held: () => Iterable<ReadAhead>
  /** Fires when there may be more, or less, to fetch than before. */
  readonly changed: Signal
  /** Called when records came. */
  readonly arrived: () => void
  /** Called when the log does not have the offset that was asked for. */
  readonly outOfRange: (partition: Partition) => void
  readonly failed: (error: unknown) => void
}

/**
 * Reads ahead: one loop per broker, which fetches the partitions that this broker leads and that
 * have room for more.
 */
export interface Fetching {
  close(): Promise<void>
}

export function startFetching(needs: FetchingNeeds): Fetching {
  const { topic, held, changed } = needs
  const loops = new Map<number, Promise<void>>()
  let [turn, closed] = [0, false]
  const tending = tend()
  return { close }

  /** Starts a loop for every broker, and looks from time to time which broker leads what. */
  async function tend(): Promise<void> {
    while (!closed) {
      await topic.look().catch(needs.failed)
      for (const { node } of topic.cluster.metadata()?.brokers ?? []) {
        if (loops.has(node)) continue
        loops.set(
          node,
          follow(node).finally(() => loops.delete(node)),
        )
      }
      await changed.fired(tendMs)
    }
  }

  async function follow(node: number): Promise<void> {
    while (!closed && topic.cluster.metadata()?.brokers.some((one) => one.node === node)) {
      try {
        if (!(await fetchOf(node))) await changed.fired(idleMs)
      } catch (error) {
        if (closed) return
        needs.failed(error)
        await again()
      }
    }
  }

  /** False when there is nothing to ask this broker for. */
  async function fetchOf(node: number): Promise<boolean> {
    const wanted = wantedOf(node)
    if (wanted.length === 0) return false
    const asked = new Map(wanted.map((one) => [one.partition, { ahead: one, from: one.fetched }]))
    const request = fetchRequest({
      topic: usageTopic,
      partitions: wanted.map(({ partition, fetched }) => ({
        partition,
        from: fetched,
        bytesMax: partitionBytesMax,
      })),
      waitMs,
      bytesMax: answerBytesMax,
    })
    const answers = await topic.cluster.link(node).request(request, waitMs + answerMs)
    let moved = false
    for (const answer of answers) {
      const one = asked.get(answer.partition)
      if (one !== undefined) moved = take(one.ahead, one.from, answer) || moved
    }
    if (moved) await again()
    return true
  }

  /**
   * In another order each time, since an answer that is full has nothing of the last partitions.
   */
  function wantedOf(node: number): readonly ReadAhead[] {
    const mine = [...held()].filter((one) => hasRoom(one) && topic.leader(one.partition) === node)
    turn += 1
    const first = turn % Math.max(mine.length, 1)
    return [...mine.slice(first), ...mine.slice(0, first)]
  }

  /** Takes what a fetch brought. True where the broker does not lead the partition (any more). */
  function take(ahead: ReadAhead, from: number, { code, bytes }: Fetched): boolean {
    const { partition } = ahead
    if (code === 0) {
      if (bytes.length === 0) return false
      const { records, next } = readBatches(bytes, from)
      extend(ahead, from, { records: records.map((one) => decodeRecord(partition, one)), next })
      needs.arrived()
      return false
    }
    const reaction = reactionTo('read', code)
    if (reaction === 'gap') {
      if (ahead.fetched === from && ahead.next !== null) needs.outOfRange(partition)
      return false
    }
    if (reaction !== 'again') needs.failed(errorOf(code))
    return true
  }

  async function again(): Promise<void> {
    await pauseFor(againMs)
    await topic.cluster.refresh().catch(() => undefined)
  }

  async function close(): Promise<void> {
    closed = true
    changed.fire()
    topic.close()
    await Promise.all([tending, ...loops.values()])
  }
}

/** A halted partition stands at the highest offset there is, so nothing is fetched for it. */
const hasRoom = ({ paused, next, bytes }: ReadAhead): boolean =>
  !paused && next !== null && next < Number.MAX_SAFE_INTEGER && bytes < limits.logAheadBytesMax / 2

/**
 * At most so much of each partition in one answer: with it, a partition that had room stays within
 * `logAheadBytesMax`.
 */
const partitionBytesMax = limits.logAheadBytesMax / 2
const answerBytesMax = 8 * 1024 * 1024
/**
 * How long a broker may wait for the first record. A partition that gets room meanwhile waits as
 * long.
 */
const waitMs = 250
const answerMs = 3_000
const idleMs = 1_000
const tendMs = 5_000
const againMs = 200
