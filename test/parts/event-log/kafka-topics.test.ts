import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { Refusal } from '../../../src/faults.ts'
import { prepareTopics } from '../../../src/parts/event-log/kafka/prepare-topics.ts'
import {
  administer,
  partitions,
  removeTopics,
  settingsOf,
} from '../../support/event-log/kafka-log.ts'
import { quiet, rememberingLogger } from '../../support/runtime/logger.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestKafka } from '../../support/servers/kafka.ts'
import { kafkaMissing, startKafka } from '../../support/servers/kafka.ts'
import { until } from '../../support/servers/until.ts'

const good = {
  'message.timestamp.type': 'LogAppendTime',
  'min.insync.replicas': '1',
  'max.message.bytes': '1048588',
}

/** What somebody else made of `usage.events`, and the setting that the refusal must name. */
const wrong: readonly (readonly [string, Record<string, string>])[] = [
  [
    'message.timestamp.type is CreateTime, must be LogAppendTime',
    { 'message.timestamp.type': 'CreateTime' },
  ],
  ['min.insync.replicas is 2, must be 1', { 'min.insync.replicas': '2' }],
  ['cleanup.policy is compact, must be delete', { 'cleanup.policy': 'compact' }],
  [
    'unclean.leader.election.enable is true, must be false',
    { 'unclean.leader.election.enable': 'true' },
  ],
  ['compression.type is gzip, must be producer', { 'compression.type': 'gzip' }],
  ['max.message.bytes is 1000, must be at least', { 'max.message.bytes': '1000' }],
]

describeWith(kafkaMissing, 'the topics on Kafka', () => {
  let kafka: TestKafka
  beforeAll(async () => {
    kafka = await startKafka()
  })
  afterAll(() => kafka.stop())
  afterEach(() => removeTopics(kafka.brokers))

  const prepare = (logger = quiet, replication = 1, isFirst = false) =>
    prepareTopics({ kafka: settingsOf(kafka.brokers, replication), partitions, isFirst, logger })

  const make = (settings: Record<string, string>, count = partitions) =>
    administer(kafka.brokers, async (admin) => {
      await admin.createTopics({
        // It would give up when it asks a broker that has not heard of the topic yet.
        waitForLeaders: false,
        topics: [
          {
            topic: 'usage.events',
            numPartitions: count,
            configEntries: Object.entries({ ...good, ...settings }).map(([name, value]) => ({
              name,
              value,
            })),
          },
        ],
      })
      await until('the topic', async () => {
        const topics = ['usage.events']
        const seen = await admin.fetchTopicMetadata({ topics }).catch(() => null)
        const found = seen?.topics[0]?.partitions ?? []
        return found.length === count && found.every(({ leader }) => leader >= 0)
      })
    })

  it('are made with what they promise, and found again', async () => {
    await prepare()
    await prepare()
    const [made, settings] = await administer(kafka.brokers, async (admin) => {
      const topics = ['usage.events', 'credit.events']
      const resources = topics.map((name) => ({ type: 2, name }))
      return [
        await admin.fetchTopicMetadata({ topics }),
        await admin.describeConfigs({ resources, includeSynonyms: false }),
      ] as const
    })
    for (const { partitions: found } of made.topics) expect(found).toHaveLength(partitions)
    for (const { configEntries } of settings.resources) {
      const values = configEntries.map(({ configName, configValue }) => [configName, configValue])
      expect(Object.fromEntries(values)).toMatchObject({
        'cleanup.policy': 'delete',
        'message.timestamp.type': 'LogAppendTime',
        'min.insync.replicas': '1',
        'retention.ms': String(7 * 86_400_000),
        'unclean.leader.election.enable': 'false',
      })
    }
  })

  it.each(wrong)('are refused where %s', async (problem, settings) => {
    await make(settings)
    const refusal = await prepare().catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(String(refusal)).toContain(`Kafka's topic usage.events: ${problem}`)
  })

  it('are refused with another number of partitions', async () => {
    await make({}, 3)
    await expect(prepare()).rejects.toThrow(
      "Kafka's topic usage.events: its number of partitions is 3, must be 4",
    )
  })

  it('say how many partitions there are while nothing was measured', async () => {
    await make({}, 3)
    expect(await prepare(quiet, 1, true)).toBe(3)
    await removeTopics(kafka.brokers)
    expect(await prepare(quiet, 1, true)).toBe(partitions)
    expect(await prepare()).toBe(partitions)
  })

  it('are left as an operator made them, and told about where they keep little', async () => {
    await make({ 'retention.ms': '60000', 'retention.bytes': '1000000' })
    const logger = rememberingLogger()
    await prepare(logger)
    const warnings = logger.told.filter(({ level }) => level === 'warn')
    expect(warnings.map(({ message }) => message).join()).toMatch(/60000 ms.*1000000 bytes/)
  })

  it('get as many replicas as there are brokers, with a warning', async () => {
    const logger = rememberingLogger()
    await prepare(logger, 3)
    const warnings = logger.told.filter(({ level }) => level === 'warn')
    expect(warnings[0]?.message).toContain('KAFKA_REPLICATION is 3, but Kafka has 1 broker(s)')
    await expect(prepare()).resolves.toBe(partitions)
  })
})
