import { limits } from '../../../limits.ts'
import type { TopicMetadata } from '../../kafka/protocol/metadata.ts'
import { usageTopic } from '../../kafka/settings.ts'

/** A topic as it was found. */
export interface FoundTopic {
  readonly topic: string
  readonly found: TopicMetadata
  readonly settings: ReadonlyMap<string, string | null>
  /** How many partitions the event log has. */
  readonly partitions: number
}

/**
 * Why a topic is unfit, one sentence each: topic, setting, its value, the value that it must have.
 */
export function problemsOf({ topic, found, settings, partitions }: FoundTopic): readonly string[] {
  const replicas = replicasOf(found)
  const inSync = Number(settings.get('min.insync.replicas'))
  const bytes = Number(settings.get('max.message.bytes'))
  const problems: (readonly [boolean, string, string, string])[] = [
    [
      topic === usageTopic && found.partitions.length !== partitions,
      'its number of partitions',
      String(found.partitions.length),
      `${partitions}: ids would move to other partitions and be billed again`,
    ],
    [
      topic === usageTopic && settings.get('message.timestamp.type') !== 'LogAppendTime',
      'message.timestamp.type',
      settings.get('message.timestamp.type') ?? 'not set',
      'LogAppendTime: boundaries follow the log’s clock, not that of senders',
    ],
    [
      !(inSync >= Math.max(1, replicas - 1) && inSync <= replicas),
      'min.insync.replicas',
      String(inSync),
      `${Math.max(1, replicas - 1)} with ${replicas} replica(s): fewer could lose what was ` +
        'accepted, and more than there are refuse everything',
    ],
    [
      settings.get('cleanup.policy') !== 'delete',
      'cleanup.policy',
      settings.get('cleanup.policy') ?? 'not set',
      'delete: compaction throws away records that nobody has measured',
    ],
    [
      settings.get('unclean.leader.election.enable') !== 'false',
      'unclean.leader.election.enable',
      settings.get('unclean.leader.election.enable') ?? 'not set',
      'false: it loses records that were accepted',
    ],
    [
      !['producer', 'uncompressed'].includes(settings.get('compression.type') ?? ''),
      'compression.type',
      settings.get('compression.type') ?? 'not set',
      'producer or uncompressed: compressed records are not read',
    ],
    [
      !(bytes >= limits.kafkaMessageBytesMax),
      'max.message.bytes',
      String(bytes),
      `at least ${limits.kafkaMessageBytesMax}: the edge packs as much into one batch`,
    ],
  ]
  return problems
    .filter(([wrong]) => wrong)
    .map(([, setting, is, must]) => `Kafka's topic ${topic}: ${setting} is ${is}, must be ${must}.`)
}

/** Settings that an operator should know of, and may have meant. */
export function warningsOf(about: FoundTopic, replication: number): readonly string[] {
  const { topic, found, settings } = about
  const replicas = replicasOf(found)
  const retention = Number(settings.get('retention.ms'))
  const bytes = settings.get('retention.bytes')
  return [
    ...(replicas < replication
      ? [`Kafka's topic ${topic} has ${replicas} replica(s), and could have ${replication}`]
      : []),
    ...(retention >= 0 && retention < limits.kafkaRetentionMs
      ? [
          `Kafka's topic ${topic} keeps records for ${retention} ms, less than our ` +
            `${limits.kafkaRetentionMs}: measuring must never be down for so long`,
        ]
      : []),
    ...(bytes !== '-1'
      ? [`Kafka's topic ${topic} is cut at ${bytes} bytes, whether measured or not`]
      : []),
  ]
}

const replicasOf = ({ partitions }: TopicMetadata): number =>
  Math.min(...partitions.map(({ replicas }) => replicas.length))
