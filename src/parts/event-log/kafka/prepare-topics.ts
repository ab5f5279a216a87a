import { Refusal } from '../../../faults.ts'
import { limits } from '../../../limits.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { pauseFor } from '../../../runtime/pause.ts'
import type { Cluster } from '../../kafka/client/cluster.ts'
import { openCluster, topicOf } from '../../kafka/client/cluster.ts'
import { codeOf, KafkaAway, reactionTo } from '../../kafka/errors.ts'
import type { ClusterMetadata, TopicMetadata } from '../../kafka/protocol/metadata.ts'
import type { WireRequest } from '../../kafka/protocol/request.ts'
import { createTopicRequest, topicSettingsRequest } from '../../kafka/protocol/topic-admin.ts'
import type { KafkaSettings } from '../../kafka/settings.ts'
import { creditTopic, usageTopic } from '../../kafka/settings.ts'
import { problemsOf, warningsOf } from './topic-requirements.ts'
import { isUnreachable } from './unreachable.ts'

export interface PrepareTopicsNeeds {
  readonly kafka: KafkaSettings
  readonly partitions: number
  /**
   * Nothing was measured yet: where the topic of usage is there with another number of partitions,
   * that one is taken.
   */
  readonly isFirst?: boolean
  readonly logger: Logger
  /** How long to wait for brokers that are not there yet. */
  readonly waitMs?: number
}

/**
 * Makes the topics that are missing, and checks whether those that exist can keep what we promise.
 * Never changes a topic that somebody else made: settings are the operator's. Throws a Refusal that
 * names the topic, the setting, its value and the value that it must have, or says why Kafka does
 * not let us in; and KafkaAway while Kafka cannot be reached. Answers how many partitions the topic
 * of usage has.
 */
export async function prepareTopics(options: PrepareTopicsNeeds): Promise<number> {
  const { isFirst = false, kafka, logger, waitMs = startMs } = options
  const cluster = openCluster({ kafka, topics: [usageTopic, creditTopic], logger })
  try {
    const metadata = await cluster.reached(waitMs).catch((cause: unknown) => {
      if (isUnreachable(cause)) throw cause
      const reason = cause instanceof Error ? `${cause.message} ${reasonOf(cause.cause)}` : ''
      throw new Refusal(`KAFKA_BROKERS: ${reason.trim()}`, { cause })
    })
    const there = topicOf(metadata, usageTopic)?.partitions.length
    const partitions = isFirst ? (there ?? options.partitions) : options.partitions
    const preparing = createPreparing({ cluster, kafka, partitions, logger })
    for (const topic of [usageTopic, creditTopic]) await preparing.prepare(metadata, topic)
    return partitions
  } finally {
    cluster.close()
  }
}

function whyNotReady(topic: string, found: TopicMetadata | undefined): string {
  if (found === undefined)
    return `Kafka's brokers do not know the topic ${topic}, though it is made.`
  const nobodys = found.partitions.filter(({ leader }) => leader < 0)
  return (
    `Kafka's topic ${topic} has partitions that nobody leads ` +
    `(${nobodys.map(({ partition }) => partition).join(', ')}): see whether all its brokers run.`
  )
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : '')

function createPreparing(needs: PrepareTopicsNeeds & { readonly cluster: Cluster }) {
  const { cluster, kafka, partitions, logger } = needs
  let gathering: Promise<number> | null = null
  return { prepare }

  async function prepare(metadata: ClusterMetadata, topic: string): Promise<void> {
    if (topicOf(metadata, topic) === undefined) await create(topic)
    const found = await ready(topic)
    const settings = await ask(() => topicSettingsRequest(topic))
    const about = { topic, found, settings, partitions }
    const [problem] = problemsOf(about)
    if (problem !== undefined) throw new Refusal(problem)
    const wanted = Math.min(kafka.replication, cluster.metadata()?.brokers.length ?? 0)
    for (const warning of warningsOf(about, wanted)) logger.warn({ topic }, warning)
  }

  async function create(topic: string): Promise<void> {
    gathering ??= brokersThere()
    const brokers = await gathering
    const replication = Math.min(kafka.replication, brokers)
    if (replication < kafka.replication) {
      logger.warn(
        { topic, brokers, replication },
        `KAFKA_REPLICATION is ${kafka.replication}, but Kafka has ${brokers} broker(s): ` +
          `${topic} gets ${replication} replica(s), and is as safe as that`,
      )
    }
    const made = { name: topic, partitions, replication, settings: topicSettings(replication) }
    try {
      await ask(() => createTopicRequest(made, answerMs))
      logger.info({ topic, partitions, replication }, 'made a topic')
    } catch (error) {
      // Another process made the topic first; it is checked like any other.
      if (reactionTo('admin', codeOf(error)) !== 'exists') throw error
    }
  }

  /** While a whole cluster starts, the first broker that answers may not know the others yet. */
  async function brokersThere(): Promise<number> {
    const waitMs = kafka.brokers.length > 1 ? startMs : gatherMs
    const wanted = Math.min(kafka.replication, Math.max(kafka.brokers.length, 1))
    const deadline = performance.now() + waitMs
    for (;;) {
      const { length } = (await cluster.reached(startMs)).brokers
      const enough = length >= kafka.replication || (length >= wanted && kafka.brokers.length > 1)
      if (enough || performance.now() > deadline) return length
      await pauseFor(200)
    }
  }

  /** A topic that was just made has no leaders for a moment. */
  async function ready(topic: string): Promise<TopicMetadata> {
    const deadline = performance.now() + startMs
    for (;;) {
      const found = topicOf(await cluster.reached(startMs), topic)
      if (found?.partitions.every(({ leader }) => leader >= 0) === true) return found
      if (performance.now() > deadline) {
        throw new Refusal(whyNotReady(topic, found))
      }
      await pauseFor(100)
    }
  }

  /** Any broker passes the request on to the controller. */
  async function ask<Answer>(request: () => WireRequest<Answer>): Promise<Answer> {
    return await persistently(async () => {
      const { brokers, controller } = await cluster.refresh()
      const { node } = brokers.find((one) => one.node === controller) ?? brokers[0] ?? { node: -1 }
      return await cluster.link(node).request(request(), answerMs)
    })
  }
}

/** Tries again for a while: brokers hear of a new topic, and of each other, one after the other. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + startMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const passing = error instanceof KafkaAway || reactionTo('admin', codeOf(error)) === 'again'
      if (!passing || performance.now() > deadline) throw error
      await pauseFor(200)
    }
  }
}

/**
 * With these settings a record that was acknowledged outlives the loss of any one broker, and is
 * kept until it is measured.
 */
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
const gatherMs = 3_000
const answerMs = 10_000
