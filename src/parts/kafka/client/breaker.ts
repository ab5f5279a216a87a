import type { Logger } from '../../../runtime/logger.ts'
import { checkCode } from '../errors.ts'
import { listOffsetsRequest } from '../protocol/list-offsets.ts'
import type { TopicMetadata } from '../protocol/metadata.ts'
import type { Cluster } from './cluster.ts'
import { identityOf, topicOf } from './cluster.ts'

export interface BreakerNeeds {
  readonly cluster: Cluster
  readonly topic: string
  /** The topic's name that no other topic ever gets: see `identityOf`. */
  readonly identity: string
  readonly logger: Logger
  /** Called once, when the breaker opens. */
  readonly onOpen: (reason: string) => void
}

/**
 * Knows whether Kafka is away, so that nobody waits for it in vain.
 *
 * - closed (`reason` is null): sends are tried. A send that misses its deadline opens the breaker,
 *   and so does a topic that is not the one that was opened.
 * - open: sends are refused at once. Twice a second the breaker asks; it closes when every
 *   partition of the topic has a leader that answers for it, and enough replicas in sync.
 */
export interface Breaker {
  /** Why sends are refused; null: they are not. */
  reason(): string | null
  open(reason: string): void
  close(): void
}

export function openBreaker(needs: BreakerNeeds): Breaker {
  const { cluster, topic, identity, logger, onOpen } = needs
  let reason: string | null = null
  let timer: NodeJS.Timeout | null = null
  let ended = false
  next(lookMs)
  return { reason: () => reason, open, close }

  function open(why: string): void {
    if (reason !== null || ended) return
    reason = why
    logger.error({ topic, reason }, 'Kafka is away: records are refused until it is back')
    onOpen(why)
    next(probeMs)
  }

  function next(afterMs: number): void {
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(() => void look(), afterMs)
    timer.unref()
  }

  /** While the breaker is closed, this asks only whether the topic is still the same one. */
  async function look(): Promise<void> {
    const problem = await found().catch((error: unknown) => String(error))
    if (ended) return
    if (reason === null && problem === recreated) open(problem)
    if (reason !== null && problem === null) {
      reason = null
      logger.info({ topic }, 'Kafka is back')
    }
    if (reason !== null && problem !== null) reason = `Kafka is away: ${problem}`
    next(reason === null ? lookMs : probeMs)
  }

  async function found(): Promise<string | null> {
    const metadata = await cluster.refresh()
    const known = topicOf(metadata, topic)
    if (known === undefined) return `there is no topic ${topic}`
    if (identityOf(metadata, known) !== identity) return recreated
    return reason === null ? null : await working(known)
  }

  async function working({ partitions }: TopicMetadata): Promise<string | null> {
    const leaders = new Map<number, number>()
    for (const { partition, leader, replicas, inSync } of partitions) {
      if (leader < 0) return `nobody leads partition ${partition} of ${topic}`
      if (inSync.length < replicas.length - 1) {
        return `partition ${partition} of ${topic} has only ${inSync.length} replicas in sync`
      }
      leaders.set(leader, partition)
    }
    await Promise.all(
      [...leaders].map(async ([node, partition]) => {
        const request = listOffsetsRequest({ topic, partition, which: 'first' })
        const { code } = await cluster.link(node).request(request, answerMs)
        checkCode(code)
      }),
    )
    return null
  }

  function close(): void {
    ended = true
    if (timer !== null) clearTimeout(timer)
  }
}

const recreated = 'the topic was deleted and made again: start anew to see what is to be done'
const lookMs = 10_000
const probeMs = 500
const answerMs = 2_000
