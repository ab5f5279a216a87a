import assert, { AssertionError } from 'node:assert/strict'
import type { Logger } from '../../../runtime/logger.ts'
import { nowAndThen } from '../../../runtime/rare-warnings.ts'
import { openTopicClient } from '../../kafka/client/topic-client.ts'
import type { KafkaSettings } from '../../kafka/settings.ts'
import { usageTopic } from '../../kafka/settings.ts'
import type { GroupHandler, LogGroup, Offset, Partition } from '../port.ts'
import { wrongPartitions } from './event-log.ts'
import { startFetching } from './fetching.ts'
import { joinGroup } from './group-member.ts'
import { createHeldPartitions } from './held-partitions.ts'
import { createPolling } from './polling.ts'
import { moveTo } from './read-ahead.ts'
import { createSignal } from './signal.ts'

export interface KafkaLogGroupNeeds {
  readonly kafka: KafkaSettings
  readonly partitions: number
  readonly handler: GroupHandler
  readonly logger: Logger
}

/**
 * One member of the consumer group that shares the partitions of the event log.
 *
 * After every join it asks the handler where to read each partition from: the positions that Kafka
 * keeps are for tools that watch the lag, and are never read. It reads ahead a bounded number of
 * bytes per partition, so that a slow or paused one holds up no other.
 */
export async function openKafkaLogGroup(needs: KafkaLogGroupNeeds): Promise<LogGroup> {
  const { kafka, partitions, handler, logger } = needs
  const topic = await openTopicClient({ kafka, topic: usageTopic, logger })
  if (topic.partitions !== partitions) {
    topic.close()
    throw wrongPartitions(topic.partitions, partitions)
  }
  const [changed, readable, stopping] = [createSignal(), createSignal(), createSignal()]
  const tell = nowAndThen(logger)
  let fatal: AssertionError | null = null
  const refetch = () => changed.fire()
  const held = createHeldPartitions({ handler, logger, stopping, changed: refetch, failed })
  const fetching = startFetching({
    topic,
    held: held.all,
    changed,
    arrived: () => readable.fire(),
    outOfRange: held.outOfRange,
    failed,
  })
  const member = joinGroup(
    {
      cluster: topic.cluster,
      group: groupName,
      topic: usageTopic,
      partitions,
      logger,
      held: held.partitions,
      shared: held.share,
      positions: held.positions,
    },
    stopping,
  )
  const polling = createPolling({
    held: held.all,
    readable,
    changed: refetch,
    fatal: () => fatal,
  })
  return { poll: polling.poll, seek, pause, close }

  /**
   * A failed assertion is thrown by the next poll, and ends the process. Any other error means that
   * Kafka is away.
   */
  function failed(error: unknown): void {
    if (error instanceof AssertionError) {
      fatal = error
      readable.fire()
    } else tell({ error }, 'Kafka gave no records')
  }

  function seek(partition: Partition, offset: Offset): void {
    const ahead = held.get(checked(partition))
    if (ahead !== undefined) moveTo(ahead, offset)
    changed.fire()
  }

  function pause(partition: Partition, paused: boolean): void {
    held.pause(checked(partition), paused)
    changed.fire()
    readable.fire()
  }

  function checked(partition: Partition): Partition {
    assert(partition >= 0 && partition < partitions, `There is no partition ${partition}.`)
    return partition
  }

  async function close(): Promise<void> {
    polling.close()
    held.close()
    await member.close()
    await fetching.close()
  }
}

const groupName = 'sluice-billing'
