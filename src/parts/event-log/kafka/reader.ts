import assert from 'node:assert/strict'
import type { Logger } from '../../../runtime/logger.ts'
import { pauseFor } from '../../../runtime/pause.ts'
import { groupBy } from '../../../std/group.ts'
import { second } from '../../../std/instant.ts'
import { openTopicClient } from '../../kafka/client/topic-client.ts'
import { checkCode, KafkaAway, reactionTo } from '../../kafka/errors.ts'
import { fetchRequest } from '../../kafka/protocol/fetch.ts'
import type { OffsetQuestion } from '../../kafka/protocol/list-offsets.ts'
import { listAllOffsetsRequest, listOffsetsRequest } from '../../kafka/protocol/list-offsets.ts'
import { readBatches } from '../../kafka/protocol/record-batch.ts'
import type { WireRequest } from '../../kafka/protocol/request.ts'
import type { KafkaSettings } from '../../kafka/settings.ts'
import { usageTopic } from '../../kafka/settings.ts'
import type { LogReader, LogRecord, Offset, Partition } from '../port.ts'
import { wrongPartitions } from './event-log.ts'
import { decodeRecord } from './record.ts'

export interface KafkaLogReaderNeeds {
  readonly kafka: KafkaSettings
  readonly partitions: number
  readonly logger: Logger
}

/** Random access to the event log on Kafka. A request throws after ten seconds without Kafka. */
export async function openKafkaLogReader(needs: KafkaLogReaderNeeds): Promise<LogReader> {
  const { kafka, partitions, logger } = needs
  const topic = await openTopicClient({ kafka, topic: usageTopic, logger })
  if (topic.partitions !== partitions) {
    topic.close()
    throw wrongPartitions(topic.partitions, partitions)
  }
  return { partitions, identity: topic.identity, lagMax, read, bounds, ends, trim, close }

  async function read(
    partition: Partition,
    from: Offset,
    bytesMax: number,
  ): Promise<readonly LogRecord[]> {
    const records: LogRecord[] = []
    let [next, left] = [from, bytesMax]
    for (;;) {
      const fetched = await fetchKnown(partition, next, left)
      if (fetched === null) return records
      next = fetched.next
      for (const record of fetched.records) {
        left -= record.value.length
        if (left < 0 && records.length > 0) return records
        records.push(decodeRecord(partition, record))
      }
      if (left <= 0) return records
    }
  }

  /**
   * Null when there is nothing at `from` or later. A broker that has just become leader leaves out,
   * without an error, the records that it does not yet know to be on all replicas. Asked where they
   * end, it refuses until it knows; so an empty answer is believed only after that.
   */
  async function fetchKnown(partition: Partition, from: Offset, left: number) {
    const deadline = performance.now() + deadlineMs
    for (;;) {
      const fetched = await fetchFrom(partition, from, left)
      if (fetched !== null || (await bound(partition, 'shown')) <= from) return fetched
      if (performance.now() > deadline) throw new KafkaAway(`Partition ${partition} lags.`)
      await pauseFor(againMs)
    }
  }

  /** Null when the leader shows nothing at `from` or later. */
  async function fetchFrom(partition: Partition, from: Offset, left: number) {
    const request = fetchOf(partition, from, left + framingBytes)
    const { code, bytes } = await topic.ask(partition, request, deadlineMs)
    if (reactionTo('read', code) === 'gap') {
      // The log no longer keeps that offset: go on at the first record that is kept. Its offset
      // shows the gap.
      const first = await bound(partition, 'first')
      return first > from ? { records: [], next: first } : null
    }
    checkCode(code)
    const { records, next } = readBatches(bytes, from)
    return next === from ? null : { records, next }
  }

  async function bounds(partition: Partition): Promise<{ first: Offset; end: Offset }> {
    const [first, end] = await Promise.all([bound(partition, 'first'), bound(partition, 'end')])
    return { first, end }
  }

  /** Asks each broker once for all that it leads, and again, one by one, for what has no answer. */
  async function ends(of: readonly Partition[]): Promise<readonly Offset[]> {
    await topic.look()
    const led = groupBy(of, (partition) => topic.leader(partition))
    const found = new Map<Partition, Offset>()
    const asked = [...led].map(async ([node, partitions]) => {
      if (node === null) return
      const request = listAllOffsetsRequest({ topic: usageTopic, partitions, which: 'end' })
      const link = topic.cluster.link(node)
      for (const one of await link.request(request, answerMs).catch(() => [])) {
        if (one.code === 0) found.set(one.partition, one.offset)
      }
    })
    await Promise.all(asked)
    return Promise.all(
      of.map(async (partition) => found.get(partition) ?? (await bound(partition, 'end'))),
    )
  }

  async function bound(partition: Partition, which: OffsetQuestion['which']): Promise<Offset> {
    const request = listOffsetsRequest({ topic: usageTopic, partition, which })
    const { code, offset } = await topic.ask(partition, request, deadlineMs)
    checkCode(code)
    return offset
  }

  /**
   * Does nothing: Kafka deletes by age, read or not. The README says which part watches that.
   */
  async function trim(partition: Partition): Promise<void> {
    assert(partition >= 0 && partition < partitions)
  }

  async function close(): Promise<void> {
    topic.close()
  }
}

/** A fetch of one partition. */
function fetchOf(partition: Partition, from: Offset, bytesMax: number) {
  const request = fetchRequest({
    topic: usageTopic,
    partitions: [{ partition, from, bytesMax }],
    waitMs: 0,
    bytesMax,
  })
  const one: WireRequest<{ readonly code: number; readonly bytes: Buffer }> = {
    ...request,
    decode: (reader) => request.decode(reader)[0] ?? { code: -1, bytes: Buffer.alloc(0) },
  }
  return one
}

const framingBytes = 64 * 1024
const deadlineMs = 10_000
/** How long a broker may take for a question that is asked again of its partitions one by one. */
const answerMs = 3_000
const againMs = 50

/**
 * A leader that stood still believes that it leads, until it hears that it was replaced meanwhile.
 */
const lagMax = 30 * second
