import { Fault } from '../../../faults.ts'
import { limits } from '../../../limits.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { callFailed, partDone } from '../../../runtime/partition-queues.ts'
import { pauseFor } from '../../../runtime/pause.ts'
import { nowAndThen } from '../../../runtime/rare-warnings.ts'
import type { Duration, Instant } from '../../../std/instant.ts'
import { earlierOf, instantOfMs, laterOf, millisecond } from '../../../std/instant.ts'
import { roster } from '../../../std/roster.ts'
import { errorOf, reactionTo } from '../errors.ts'
import type { Produced } from '../protocol/produce.ts'
import { produceRequest } from '../protocol/produce.ts'
import type { OutRecord } from '../protocol/record-batch.ts'
import { recordBytes } from '../protocol/record-batch.ts'
import type { KafkaSettings } from '../settings.ts'
import { openBreaker } from './breaker.ts'
import type { Cluster } from './cluster.ts'
import { openCluster, topicOf, topicReached } from './cluster.ts'
import type { Load, Sending } from './send-queues.ts'
import { openSendQueues } from './send-queues.ts'

export interface ProducerNeeds {
  readonly kafka: KafkaSettings
  readonly topic: string
  /** Most bytes that may wait for an acknowledgement; above it `send` refuses. */
  readonly budgetBytes: number
  readonly logger: Logger
  readonly clock: Clock
  /** Called at each append that a broker stamps, with how far its clock is ahead of ours. */
  readonly stamped?: (broker: number, ahead: Duration) => void
  /** How long a send may take. */
  readonly deadlineMs?: number
}

/** A record and the partition that it goes to. */
export interface Addressed {
  readonly partition: number
  readonly record: OutRecord
}

export interface Producer {
  readonly partitions: number
  readonly identity: string
  /**
   * Answers the records' offsets, in order, when all records are on all in-sync replicas. When it
   * throws, any of them may or may not be in the log. It throws UNAVAILABLE, or REQUEST_TOO_LARGE
   * for records that will never fit.
   */
  send(records: readonly Addressed[]): Promise<readonly number[]>
  close(): Promise<void>
}

/**
 * Sends records to one topic.
 *
 * One request at a time is on its way to each broker, which would not work on a second one any
 * sooner; records that arrive meanwhile leave together with the next. A request that failed, or
 * whose fate is not known, is sent again until the deadline of its records. That may store them
 * twice; dedupe takes the repeats out. Past the deadline Kafka counts as away: every caller is told
 * at once, until every leader answers again.
 */
export async function openProducer(options: ProducerNeeds): Promise<Producer> {
  const { kafka, topic, logger } = options
  const cluster = openCluster({ kafka, topics: [topic], logger })
  try {
    const { partitions, identity } = await topicReached(cluster, topic)
    const sender = createSender({ ...options, cluster, identity })
    return { partitions, identity, ...sender }
  } catch (error) {
    cluster.close()
    throw error
  }
}

interface SenderNeeds extends ProducerNeeds {
  readonly cluster: Cluster
  readonly identity: string
}

function createSender(needs: SenderNeeds) {
  const { cluster, topic, budgetBytes, logger, clock, deadlineMs = limits.logAckMs } = needs
  const queues = openSendQueues()
  const tell = nowAndThen(logger)
  const breaker = openBreaker({ ...needs, onOpen: failAll })
  const busy = new Set<number>()
  let waitingBytes = 0
  let [closed, scheduled, asking] = [false, false, false]
  const waiting = roster<Sending>()
  return { send, close }

  async function send(records: readonly Addressed[]): Promise<readonly number[]> {
    if (closed) throw unavailable('The connection to Kafka is closed.')
    if (records.length === 0) return []
    const reason = breaker.reason()
    if (reason !== null) throw unavailable(reason)
    const sizes = records.map(({ record }) => recordBytes(record))
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    if (sizes.some((size) => size > limits.kafkaBatchBytesMax)) throw tooLarge()
    if (waitingBytes + bytes > budgetBytes) {
      throw unavailable('Too much waits for Kafka just now.', 1)
    }
    waitingBytes += bytes
    return await new Promise<readonly number[]>((resolve, reject) => {
      const sending = sendingOf(records.length, resolve, reject)
      waiting.add(sending)
      records.forEach(({ partition, record }, index) => {
        queues.add(partition, { record, bytes: sizes[index] ?? 0, call: sending, index })
      })
      schedule()
    }).finally(() => {
      waitingBytes -= bytes
    })
  }

  function sendingOf(
    count: number,
    resolve: (offsets: readonly number[]) => void,
    reject: (error: Error) => void,
  ): Sending {
    const timer = setTimeout(() => breaker.open('Kafka does not answer in time.'), deadlineMs)
    const offsets = new Array<number>(count).fill(-1)
    const sending: Sending = {
      left: count,
      over: false,
      place: 0,
      stored(index, offset) {
        offsets[index] = offset
        if (!partDone(sending)) return
        end()
        resolve(offsets)
      },
      fail(error) {
        if (!callFailed(sending)) return
        end()
        reject(error)
      },
    }
    function end(): void {
      clearTimeout(timer)
      waiting.remove(sending)
    }
    return sending
  }

  function failAll(reason: string): void {
    for (const sending of waiting.members()) sending.fail(unavailable(reason))
  }

  /** Sends of the same turn of the event loop leave together. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    queueMicrotask(() => {
      scheduled = false
      pump()
    })
  }

  function pump(): void {
    const partitions = topicOf(cluster.metadata(), topic)?.partitions ?? []
    const led = new Map<number, number[]>()
    for (const { partition, leader } of partitions) {
      if (busy.has(leader) || leader < 0 || queues.isEmpty(partition)) continue
      const mine = led.get(leader)
      if (mine === undefined) led.set(leader, [partition])
      else mine.push(partition)
    }
    for (const [node, mine] of led) {
      const loads = queues.load(mine)
      if (loads.length > 0) void carry(node, loads)
    }
    if (queues.someWithout(partitions)) askWhoLeads()
  }

  async function carry(node: number, loads: readonly Load[]): Promise<void> {
    busy.add(node)
    try {
      const batches = loads.map(({ partition, parcels }) => ({
        partition,
        records: parcels.map(({ record }) => record),
      }))
      const sentAt = clock.now()
      const at = Math.floor(sentAt / millisecond)
      const request = produceRequest({ topic, batches, timeoutMs: limits.logReplicasMs, at })
      const answers = await cluster.link(node).request(request, limits.logRequestMs)
      compareClocks(node, answers, sentAt)
      const again = loads.filter((load) => !settled(load, answers))
      if (again.length > 0) await later(again)
    } catch (error) {
      tell({ error, node }, 'Kafka did not take records, which are sent again')
      await later(loads)
    } finally {
      busy.delete(node)
      pump()
    }
  }

  /**
   * The broker stamped between our sending and our receiving; if its time lies outside, a clock is
   * wrong.
   */
  function compareClocks(node: number, answers: readonly Produced[], sentAt: Instant): void {
    const stampedMs = answers.find((each) => each.code === 0)?.stampedMs ?? -1
    if (stampedMs < 0 || needs.stamped === undefined) return
    const stamped = instantOfMs(stampedMs)
    const answeredAt = clock.now()
    needs.stamped(node, stamped - earlierOf(laterOf(stamped, sentAt), answeredAt))
  }

  /** Puts loads back into the queue. This broker gets no more until we have asked who leads now. */
  async function later(loads: readonly Load[]): Promise<void> {
    for (const load of loads) queues.putBack(load)
    await pause()
    await cluster.refresh().catch((error: unknown) => {
      logger.debug({ error }, 'Kafka does not say who leads')
    })
  }

  /** False where the load is to be sent again. */
  function settled(load: Load, answers: readonly Produced[]): boolean {
    const answer = answers.find(({ partition }) => partition === load.partition)
    const { code, base } = answer ?? { code: -1, base: -1 }
    if (code === 0) {
      queues.stored()
      load.parcels.forEach(({ call, index }, place) => {
        call.stored(index, base + place)
      })
      return true
    }
    const error = errorOf(code)
    tell({ error, partition: load.partition }, 'Kafka did not store records')
    const reaction = reactionTo('append', code)
    if (reaction === 'again') return false
    if (reaction === 'halve' && load.parcels.length > 1) {
      // The topic's size bound was lowered: smaller loads may fit, until one record alone does not.
      queues.shrink()
      return false
    }
    const failure =
      reaction === 'halve'
        ? tooLarge(error)
        : unavailable(`Kafka refused the records: ${error.code}.`, 5, error)
    for (const { call } of load.parcels) call.fail(failure)
    return true
  }

  /** Asks when records wait for a partition without a leader, which may have one by now. */
  function askWhoLeads(): void {
    if (asking || closed) return
    asking = true
    void later([]).finally(() => {
      asking = false
      pump()
    })
  }

  async function close(): Promise<void> {
    closed = true
    const deadline = performance.now() + deadlineMs
    while (waiting.size > 0 && performance.now() < deadline) await pause()
    failAll('The connection to Kafka is closed.')
    breaker.close()
    cluster.close()
  }
}

const pause = (): Promise<void> => pauseFor(100)

const unavailable = (message: string, retryAfterSeconds = 2, cause: Error | null = null): Fault =>
  new Fault('UNAVAILABLE', message, { retryAfterSeconds, cause })

const tooLarge = (cause: Error | null = null): Fault =>
  new Fault('REQUEST_TOO_LARGE', 'A record is larger than the event log takes.', { cause })
