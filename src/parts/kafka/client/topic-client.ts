import type { Logger } from '../../../runtime/logger.ts'
import { pauseFor } from '../../../runtime/pause.ts'
import { checkCode, KafkaAway, reactionTo } from '../errors.ts'
import type { WireRequest } from '../protocol/request.ts'
import type { KafkaSettings } from '../settings.ts'
import type { Cluster } from './cluster.ts'
import { identityOf, openCluster, topicOf, topicReached } from './cluster.ts'

export interface TopicClientNeeds {
  readonly kafka: KafkaSettings
  readonly topic: string
  readonly logger: Logger
}

/**
 * One topic, by its name and its id: it stops answering when the topic was deleted and made again.
 */
export interface TopicClient {
  readonly identity: string
  readonly partitions: number
  readonly cluster: Cluster
  /**
   * The node that leads the partition, as far as known; null: none does, or the topic is another
   * one.
   */
  leader(partition: number): number | null
  /** Asks who leads, unless that was asked a moment ago. */
  look(): Promise<void>
  /**
   * Asks the partition's leader, and again where that has moved, until `deadlineMs`. Answers with
   * other errors are left to the caller.
   */
  ask<Answer extends { readonly code: number }>(
    partition: number,
    request: WireRequest<Answer>,
    deadlineMs: number,
  ): Promise<Answer>
  close(): void
}

/** Connects; waits half a minute for brokers that are not there yet. */
export async function openTopicClient({
  kafka,
  topic,
  logger,
}: TopicClientNeeds): Promise<TopicClient> {
  const cluster = openCluster({ kafka, topics: [topic], logger })
  try {
    return createTopicClient(cluster, topic, await topicReached(cluster, topic))
  } catch (error) {
    cluster.close()
    throw error
  }
}

function createTopicClient(
  cluster: Cluster,
  topic: string,
  { identity, partitions }: Pick<TopicClient, 'identity' | 'partitions'>,
): TopicClient {
  return { identity, partitions, cluster, leader, look, ask, close: () => cluster.close() }

  function leader(partition: number): number | null {
    const metadata = cluster.metadata()
    const found = topicOf(metadata, topic)
    if (metadata === null || found === undefined) return null
    if (identityOf(metadata, found) !== identity) return null
    const node = found.partitions.find((one) => one.partition === partition)?.leader ?? -1
    return node < 0 ? null : node
  }

  function whyNobody(partition: number): string {
    const metadata = cluster.metadata()
    const found = topicOf(metadata, topic)
    if (metadata === null || found === undefined) return `There is no topic ${topic}.`
    if (identityOf(metadata, found) !== identity) {
      return `The topic ${topic} was deleted and made again: it is not the one that was opened.`
    }
    return `Nobody leads partition ${partition} of ${topic}.`
  }

  async function look(): Promise<void> {
    if (performance.now() - cluster.heardAt() > lookMs) await cluster.refresh()
  }

  async function ask<Answer extends { readonly code: number }>(
    partition: number,
    request: WireRequest<Answer>,
    deadlineMs: number,
  ): Promise<Answer> {
    const deadline = performance.now() + deadlineMs
    for (;;) {
      try {
        await look()
        const node = leader(partition)
        if (node === null) throw new KafkaAway(whyNobody(partition))
        const leftMs = Math.max(deadline - performance.now(), 1)
        const answer = await cluster.link(node).request(request, Math.min(leftMs, answerMs))
        if (reactionTo('read', answer.code) === 'again') checkCode(answer.code)
        return answer
      } catch (error) {
        if (performance.now() + againMs > deadline) throw error
        await pauseFor(againMs)
        await cluster.refresh().catch(() => undefined)
      }
    }
  }
}

const lookMs = 10_000
const answerMs = 3_000
const againMs = 100
