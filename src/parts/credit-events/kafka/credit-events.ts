import type { Clock } from '../../../runtime/clock.ts'
import type { Logger } from '../../../runtime/logger.ts'
import type { Addressed } from '../../kafka/client/producer.ts'
import { openProducer } from '../../kafka/client/producer.ts'
import { partitionOfKey } from '../../kafka/kafkajs.ts'
import type { KafkaSettings } from '../../kafka/settings.ts'
import { creditTopic } from '../../kafka/settings.ts'
import type { CreditEvent, CreditEvents } from '../port.ts'

export interface KafkaCreditEventsNeeds {
  readonly kafka: KafkaSettings
  /** Most bytes of records that may wait for an acknowledgement; above it `publish` refuses. */
  readonly budgetBytes: number
  readonly logger: Logger
  readonly clock: Clock
}

/**
 * The topic `credit.events`: one record per envelope, with the headers `mode` and `webhook-id`. The
 * record's key chooses the partition, by the same hash that every Kafka client uses.
 */
export async function openKafkaCreditEvents(
  options: KafkaCreditEventsNeeds,
): Promise<CreditEvents> {
  const producer = await openProducer({ ...options, topic: creditTopic })
  return { publish, close: producer.close }

  async function publish(records: readonly CreditEvent[]): Promise<void> {
    await producer.send(records.map(addressed))
  }

  function addressed({ key, value, mode, webhookId }: CreditEvent): Addressed {
    const headers = [
      { name: names.mode, value: Buffer.from(mode) },
      { name: names.webhookId, value: Buffer.from(webhookId) },
    ]
    return {
      partition: partitionOfKey(key, producer.partitions),
      record: { key: Buffer.from(key), value, headers },
    }
  }
}

const names = { mode: Buffer.from('mode'), webhookId: Buffer.from('webhook-id') }
