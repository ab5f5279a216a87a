import { Refusal } from '../../../faults.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { pauseFor } from '../../../runtime/pause.ts'
import { nowAndThen } from '../../../runtime/rare-warnings.ts'
import type { BrokerLink } from '../connection/broker-link.ts'
import { createBrokerLink } from '../connection/broker-link.ts'
import { KafkaAway } from '../errors.ts'
import type { ClusterMetadata, TopicMetadata } from '../protocol/metadata.ts'
import { metadataRequest, withNewerLeaders } from '../protocol/metadata.ts'
import type { KafkaSettings } from '../settings.ts'

export interface KafkaClusterNeeds {
  readonly kafka: KafkaSettings
  /** The topics to ask metadata for. */
  readonly topics: readonly string[]
  readonly logger: Logger
}

/** The brokers of a cluster, one connection to each that is used. */
export interface Cluster {
  /** What a broker last answered; null before any did. */
  metadata(): ClusterMetadata | null
  /** When it answered, by the monotonic clock in milliseconds. */
  heardAt(): number
  /** Asks again. Calls at the same time share the answer; throws when no broker answers. */
  refresh(): Promise<ClusterMetadata>
  /** Asks again and again, for `withinMs` at most, until a broker answers. */
  reached(withinMs: number): Promise<ClusterMetadata>
  /** The connection to one broker of the metadata. */
  link(node: number): BrokerLink
  /** A connection that the caller shares with nobody, for requests whose answers take long. */
  ownLink(node: number): BrokerLink
  close(): void
}

export function openCluster({ kafka, topics, logger }: KafkaClusterNeeds): Cluster {
  const links = new Map<string, BrokerLink>()
  const tell = nowAndThen(logger)
  let latest: ClusterMetadata | null = null
  let heardAt = Number.NEGATIVE_INFINITY
  let asking: Promise<ClusterMetadata> | null = null
  let turn = 0
  let closed = false
  return {
    metadata: () => latest,
    heardAt: () => heardAt,
    refresh,
    reached,
    link: (node) => shared(addressOf(node)),
    ownLink: (node) => linkTo(addressOf(node)),
    close,
  }

  function refresh(): Promise<ClusterMetadata> {
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }

  async function ask(): Promise<ClusterMetadata> {
    // A broker that is connected most likely answers; if it does not, all are asked, and the first
    // answer counts. They take turns, because one that was away answers with old knowledge for a
    // while.
    const all = [...links.values()].filter((one) => one.connected())
    turn += 1
    const connected = all[turn % all.length]
    const answer =
      (connected && (await askOne(connected).catch(() => null))) ?? (await askAny(connected))
    latest = latest === null ? answer : withNewerLeaders(answer, latest)
    heardAt = performance.now()
    dropStrangers(latest)
    return latest
  }

  async function askAny(except: BrokerLink | undefined): Promise<ClusterMetadata> {
    if (closed) throw new KafkaAway('The connections to Kafka are closed.')
    const addresses = new Set([...knownAddresses(), ...kafka.brokers])
    const candidates = [...addresses].map(shared).filter((one) => one !== except)
    if (except !== undefined) candidates.push(except)
    try {
      return await Promise.any(candidates.map(askOne))
    } catch (error) {
      const [first] = error instanceof AggregateError ? error.errors : [error]
      throw new KafkaAway(`No broker of Kafka answers (${[...addresses].join(', ')}).`, {
        cause: first,
      })
    }
  }

  function askOne(one: BrokerLink): Promise<ClusterMetadata> {
    return one.request(metadataRequest(topics), askMs)
  }

  function knownAddresses(): string[] {
    return (latest?.brokers ?? []).map(({ host, port }) => `${host}:${port}`)
  }

  /**
   * Closes the connections to brokers that are no longer there, except to those that the settings
   * name.
   */
  function dropStrangers(answer: ClusterMetadata): void {
    const known = new Set(answer.brokers.map(({ host, port }) => `${host}:${port}`))
    for (const [address, one] of links) {
      if (known.has(address) || (kafka.brokers.includes(address) && !one.connected())) continue
      if (known.size === 0) continue
      links.delete(address)
      one.close()
    }
  }

  async function reached(withinMs: number): Promise<ClusterMetadata> {
    const deadline = performance.now() + withinMs
    for (;;) {
      try {
        return await refresh()
      } catch (error) {
        if (!(error instanceof KafkaAway) || closed || performance.now() > deadline) throw error
        tell({ error }, 'Kafka is not there yet')
        await pauseFor(retryMs)
      }
    }
  }

  function shared(address: string): BrokerLink {
    const known = links.get(address)
    if (known !== undefined) return known
    const made = linkTo(address)
    links.set(address, made)
    return made
  }

  function linkTo(address: string): BrokerLink {
    const at = address.lastIndexOf(':')
    const [host, port] = [address.slice(0, at), Number(address.slice(at + 1))]
    return createBrokerLink({ host: host.replace(/^\[|\]$/g, ''), port, kafka })
  }

  function addressOf(node: number): string {
    const broker = latest?.brokers.find((one) => one.node === node)
    if (broker === undefined) throw new KafkaAway(`Kafka's broker ${node} is not known.`)
    return `${broker.host}:${broker.port}`
  }

  function close(): void {
    closed = true
    for (const one of links.values()) one.close()
    links.clear()
  }
}

const askMs = 2_000
const retryMs = 500

/** One topic of the metadata; undefined when it is not there. */
export const topicOf = (
  metadata: ClusterMetadata | null,
  name: string,
): TopicMetadata | undefined => metadata?.topics.find((one) => one.name === name && one.code === 0)

/** Waits until brokers answer, and until all of them know a topic that was made just now. */
export async function topicReached(
  cluster: Cluster,
  name: string,
): Promise<{ readonly partitions: number; readonly identity: string }> {
  const metadata = await cluster.reached(reachMs)
  const deadline = performance.now() + spreadMs
  for (let latest = metadata; ; latest = await cluster.reached(reachMs)) {
    const found = topicOf(latest, name)
    if (found !== undefined) {
      return { partitions: found.partitions.length, identity: identityOf(latest, found) }
    }
    if (performance.now() > deadline) throw new Refusal(`Kafka has no topic ${name}.`)
    await pauseFor(retryMs)
  }
}

/** How long to wait for brokers that are not there yet, and for them to tell each other. */
const reachMs = 30_000
const spreadMs = 5_000

/** Names this very topic of this very cluster: a topic that is made again gets another name. */
export const identityOf = (metadata: ClusterMetadata, topic: TopicMetadata): string =>
  `${metadata.clusterId}/${topic.name}/${topic.id}`
