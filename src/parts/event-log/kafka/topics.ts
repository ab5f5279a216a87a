import { Refusal } from '../../../faults.ts'
import { limits } from '../../../limits.ts'
import type { Logger } from '../../../runtime/logger.ts'
import type { Cluster } from '../../kafka/cluster.ts'
import { openCluster, topicOf } from '../../kafka/cluster.ts'
import { codeOf } from '../../kafka/errors.ts'
import { creditTopic, usageTopic } from '../../kafka/settings.ts'
import type { ClusterMetadata, TopicMetadata } from '../../kafka/topics.ts'
import { createTopicRequest, topicSettingsRequest } from '../../kafka/topics.ts'
import type { KafkaSettings } from './settings.ts'
import { problemsOf, warningsOf } from './topic-rules.ts'
import { isUnreachable } from './unreachable.ts'

export interface TopicsOptions {
  readonly kafka: KafkaSettings
  readonly partitions: number
  readonly logger: Logger
  /** How long to wait for brokers that are not there yet. */
  readonly waitMs?: number
}

/**
 * Makes the topics that are not there, and looks whether those that are can keep what we promise;
 * throws a Refusal that names topic, setting, what it is and what it must be, or why Kafka lets
 * nobody in, and KafkaAway while it cannot be reached. Never changes a topic that somebody else
 * made: settings are the operator's.
 */
export async function prepareTopics(options: TopicsOptions): Promise<void> {
  const { kafka, partitions, logger, waitMs = startMs } = options
  const cluster = openCluster({ kafka, topics: [usageTopic, creditTopic], logger })
  try {
    const metadata = await cluster.reached(waitMs).catch((cause: unknown) => {
      if (isUnreachable(cause)) throw cause
      const reason = cause instanceof Error ? `${cause.message} ${reasonOf(cause.cause)}` : ''
      throw new Refusal(`KAFKA_BROKERS: ${reason.trim()}`, { cause })
    })
    const preparing = createPreparing({ cluster, kafka, partitions, logger })
    for (const topic of [usageTopic, creditTopic]) await preparing.prepare(metadata, topic)
  } finally {
    cluster.close()
  }
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : '')

function createPreparing(needs: TopicsOptions & { readonly cluster: Cluster }) {
  const { cluster, kafka, partitions, logger } = needs
  return { prepare }

  async function prepare(metadata: ClusterMetadata, topic: string): Promise<void> {
    if (topicOf(metadata, topic) === undefined) await create(metadata, topic)
    const found = await ready(topic)
    const settings = await settingsOf(topic)
    const about = { topic, found, settings, partitions }
    const [problem] = problemsOf(about)
    if (problem !== undefined) throw new Refusal(problem)
    const wanted = Math.min(kafka.replication, metadata.brokers.length)
    for (const warning of warningsOf(about, wanted)) logger.warn({ topic }, warning)
  }

  async function create({ brokers, controller }: ClusterMetadata, topic: string): Promise<void> {
    const replication = Math.min(kafka.replication, brokers.length)
    if (replication < kafka.replication) {
      logger.warn(
        { topic, brokers: brokers.length, replication },
        `KAFKA_REPLICATION is ${kafka.replication}, but Kafka has ${brokers.length} broker(s): ` +
          `${topic} gets ${replication} replica(s), and is as safe as that`,
      )
    }
    const settings = topicSettings(replication)
    const request = createTopicRequest({ name: topic, partitions, replication, settings }, answerMs)
    try {
      await cluster.link(controller).request(request, answerMs)
      logger.info({ topic, partitions, replication }, 'made a topic')
    } catch (error) {
      // Another process was faster; what it made is looked at like any other.
      if (codeOf(error) !== 'TOPIC_ALREADY_EXISTS') throw error
    }
  }

  /** A topic that was just made gets its leaders in a moment. */
  async function ready(topic: string): Promise<TopicMetadata> {
    const deadline = performance.now() + startMs
    for (;;) {
      const found = topicOf(await cluster.reached(startMs), topic)
      if (found?.partitions.every(({ leader }) => leader >= 0) === true) return found
      if (performance.now() > deadline) {
        throw new Refusal(`Kafka's topic ${topic} has partitions that nobody leads.`)
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  async function settingsOf(topic: string): Promise<ReadonlyMap<string, string | null>> {
    const node = cluster.metadata()?.controller ?? -1
    return await cluster.link(node).request(topicSettingsRequest(topic), answerMs)
  }
}

/** With these a record that was acked outlives any one broker, and is kept until it is measured. */
const topicSettings = (replication: number): Readonly<Record<string, string>> => ({
  'cleanup.policy': 'delete',
  'compression.type': 'producer',
  'max.message.bytes': String(limits.kafkaMessageBytesMax),
  'message.timestamp.type': 'LogAppendTime',
  'min.insync.replicas': String(Math.max(1, replication - 1)),
  'retention.bytes': '-1',
  'retention.ms': String(limits.kafkaRetentionMs),
  'unclean.leader.election.enable': 'false',
})

const startMs = 30_000
const answerMs = 10_000
