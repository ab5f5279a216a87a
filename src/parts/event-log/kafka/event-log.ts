import assert from 'node:assert/strict'
import { Refusal } from '../../../faults.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Logger } from '../../../runtime/logger.ts'
import type { Duration } from '../../../std/instant.ts'
import { openProducer } from '../../kafka/client/producer.ts'
import type { KafkaSettings } from '../../kafka/settings.ts'
import { usageTopic } from '../../kafka/settings.ts'
import type { EventLog, NewRecord, Offset } from '../port.ts'
import { encodeRecord } from './record.ts'

export interface KafkaEventLogNeeds {
  readonly kafka: KafkaSettings
  readonly partitions: number
  /** Most bytes of records that may wait for an acknowledgement; above it `append` refuses. */
  readonly budgetBytes: number
  readonly logger: Logger
  readonly clock: Clock
  /** Called at each append with how far the broker's clock is ahead of ours. */
  readonly stamped?: (broker: number, ahead: Duration) => void
}

/** Opens the event log on Kafka for appending. `prepareTopics` must have run before. */
export async function openKafkaEventLog(options: KafkaEventLogNeeds): Promise<EventLog> {
  const { partitions } = options
  const producer = await openProducer({ ...options, topic: usageTopic })
  if (producer.partitions !== partitions) {
    await producer.close()
    throw wrongPartitions(producer.partitions, partitions)
  }
  return { partitions, identity: producer.identity, append, close: producer.close }

  async function append(records: readonly NewRecord[]): Promise<readonly Offset[]> {
    return await producer.send(
      records.map((record) => {
        const { partition } = record
        assert(partition >= 0 && partition < partitions, `There is no partition ${partition}.`)
        return { partition, record: encodeRecord(record) }
      }),
    )
  }
}

export const wrongPartitions = (found: number, wanted: number): Refusal =>
  new Refusal(
    `The topic ${usageTopic} has ${found} partitions and must have ${wanted}: ids would move to ` +
      'other partitions and be billed again.',
  )
