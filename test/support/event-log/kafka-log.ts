import type { Admin } from 'kafkajs'
import { Kafka, logLevel } from 'kafkajs'
import { openKafkaEventLog } from '../../../src/parts/event-log/kafka/event-log.ts'
import { openKafkaLogGroup } from '../../../src/parts/event-log/kafka/group.ts'
import { prepareTopics } from '../../../src/parts/event-log/kafka/prepare-topics.ts'
import { openKafkaLogReader } from '../../../src/parts/event-log/kafka/reader.ts'
import type {
  EventLog,
  GroupHandler,
  LogGroup,
  LogReader,
} from '../../../src/parts/event-log/port.ts'
import type { KafkaSettings } from '../../../src/parts/kafka/settings.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Logger } from '../../../src/runtime/logger.ts'
import { quiet } from '../runtime/logger.ts'
import type { TestKafka } from '../servers/kafka.ts'

/** An event log on a Kafka of its own topics, which this makes. */
export interface KafkaLog {
  readonly settings: KafkaSettings
  openLog(budgetBytes?: number): Promise<EventLog>
  openGroup(handler: GroupHandler): Promise<LogGroup>
  openReader(): Promise<LogReader>
  /** Deletes the topics, so that the next log begins anew. */
  remove(): Promise<void>
}

export const partitions = 4

export async function kafkaLog(
  { brokers }: Pick<TestKafka, 'brokers'>,
  logger: Logger = quiet,
): Promise<KafkaLog> {
  const settings = settingsOf(brokers)
  await prepareTopics({ kafka: settings, partitions, logger })
  const options = { kafka: settings, partitions, logger }
  return {
    settings,
    openLog: (budgetBytes = 64e6) =>
      openKafkaEventLog({ ...options, budgetBytes, clock: systemClock() }),
    openGroup: (handler) => openKafkaLogGroup({ ...options, handler }),
    openReader: () => openKafkaLogReader(options),
    remove: () => removeTopics(brokers),
  }
}

export const settingsOf = (brokers: readonly string[], replication = brokers.length) => ({
  brokers,
  clientId: 'test',
  tls: null,
  sasl: null,
  replication,
})

export async function removeTopics(brokers: readonly string[]): Promise<void> {
  await administer(brokers, async (admin) => {
    const topics = await admin.listTopics()
    const mine = topics.filter((topic) => !topic.startsWith('__'))
    if (mine.length > 0) await admin.deleteTopics({ topics: mine })
    while ((await admin.listTopics()).some((topic) => mine.includes(topic)));
  })
}

/** Does what only an operator of Kafka would do. */
export async function administer<T>(
  brokers: readonly string[],
  work: (admin: Admin) => Promise<T>,
): Promise<T> {
  const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}
