import type { WireRequest } from './request.ts'
import type { WireReader } from './wire.ts'

export interface ClusterMetadata {
  readonly clusterId: string
  readonly controller: number
  readonly brokers: readonly BrokerAddress[]
  readonly topics: readonly TopicMetadata[]
}

export interface BrokerAddress {
  readonly node: number
  readonly host: string
  readonly port: number
}

export interface TopicMetadata {
  readonly name: string
  /** 0, or the broker's error: the topic is not there, or we may not see it. */
  readonly code: number
  /** Kafka's id of the topic; a topic made again under the same name has another. */
  readonly id: string
  readonly partitions: readonly PartitionMetadata[]
}

export interface PartitionMetadata {
  readonly partition: number
  /** The node, or −1: an election is under way, or no replica is left. */
  readonly leader: number
  /** Rises with every change of leader. */
  readonly epoch: number
  readonly replicas: readonly number[]
  readonly inSync: readonly number[]
}

/** The new metadata, except that a leader with an older epoch does not replace a younger one. */
export function withNewerLeaders(heard: ClusterMetadata, before: ClusterMetadata): ClusterMetadata {
  const topics = heard.topics.map((topic): TopicMetadata => {
    const known = before.topics.find(({ id, name }) => name === topic.name && id === topic.id)
    const partitions = topic.partitions.map((one) => {
      const other = known?.partitions.find(({ partition }) => partition === one.partition)
      return other !== undefined && other.epoch > one.epoch ? other : one
    })
    return { ...topic, partitions }
  })
  return { ...heard, topics }
}

/** Asks for brokers and topics; never creates one. Version 10 (Kafka 2.8) tells the topics' ids. */
export function metadataRequest(topics: readonly string[]): WireRequest<ClusterMetadata> {
  return {
    name: 'Metadata',
    key: 3,
    version: 10,
    flexible: true,
    encode(writer) {
      writer.unsigned(topics.length + 1)
      for (const topic of topics) writer.raw(noId).compactText(topic).unsigned(0)
      // Does not create topics, and does not ask for rights.
      writer.int8(0).int8(0).int8(0).unsigned(0)
    },
    decode(reader) {
      reader.int32()
      const brokers = reader.compactList(() => {
        const [node, host, port] = [reader.int32(), reader.compactText() ?? '', reader.int32()]
        reader.compactText()
        reader.tags()
        return { node, host, port }
      })
      const clusterId = reader.compactText() ?? ''
      const controller = reader.int32()
      return { clusterId, controller, brokers, topics: reader.compactList(() => topic(reader)) }
    },
  }
}

const noId = Buffer.alloc(16)

function topic(reader: WireReader): TopicMetadata {
  const [code, name, id] = [reader.int16(), reader.compactText() ?? '', reader.raw(16)]
  reader.int8()
  const partitions = reader.compactList(() => {
    reader.int16()
    const [partition, leader, epoch] = [reader.int32(), reader.int32(), reader.int32()]
    const nodes = () => reader.compactList(() => reader.int32())
    const [replicas, inSync] = [nodes(), nodes()]
    nodes()
    reader.tags()
    return { partition, leader, epoch, replicas, inSync }
  })
  reader.int32()
  reader.tags()
  return { name, code, id: id.toString('base64url'), partitions }
}
