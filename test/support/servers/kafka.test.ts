import { readFileSync } from 'node:fs'
import type { Admin, KafkaConfig, PartitionMetadata } from 'kafkajs'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from './describe-with.ts'
import type { TestKafka } from './kafka.ts'
import { kafkaMissing, kafkaUser, startKafka } from './kafka.ts'
import { until } from './until.ts'

const client = (config: KafkaConfig): Kafka => new Kafka({ logLevel: logLevel.NOTHING, ...config })

const patient = { retries: 60, initialRetryTime: 100, maxRetryTime: 500 }

describeWith(kafkaMissing, 'a Kafka of one broker for tests', () => {
  let kafka: TestKafka
  beforeAll(async () => {
    kafka = await startKafka({ tls: true, sasl: 'scram-sha-512', proxied: true })
  })
  afterAll(() => kafka.stop())

  it('is reached through its proxy, by TLS and with a password, and keeps its records', async () => {
    const ssl = { ca: readFileSync(kafka.settings['KAFKA_TLS_CA'] ?? '', 'utf8') }
    const known = client({
      brokers: [...kafka.brokers],
      ssl,
      sasl: { mechanism: 'scram-sha-512', ...kafkaUser },
    })
    const admin = known.admin({ retry: patient })
    await admin.connect()
    await admin.createTopics({ topics: [{ topic: 'a' }], waitForLeaders: true })
    const producer = known.producer({ retry: patient })
    await producer.connect()
    await producer.send({ topic: 'a', acks: -1, messages: [{ value: 'one' }] })
    expect(kafka.proxies.map(({ connections }) => connections > 0)).toEqual([true])
    kafka.proxies[0]?.cut()
    await producer.send({ topic: 'a', acks: -1, messages: [{ value: 'two' }] })
    await kafka.kill(0)
    await kafka.start(0)
    await producer.send({ topic: 'a', acks: -1, messages: [{ value: 'three' }] })
    const [offsets] = await admin.fetchTopicOffsets('a')
    expect(Number(offsets?.high)).toBeGreaterThanOrEqual(3)
    await expect(producer.send({ topic: 'no such topic', messages: [] })).rejects.toThrow()
    await producer.disconnect()
    await admin.disconnect()
  })

  it('lets nobody else in', async () => {
    const sasl = { mechanism: 'scram-sha-512', ...kafkaUser, password: 'wrong' } as const
    const ssl = { ca: readFileSync(kafka.settings['KAFKA_TLS_CA'] ?? '', 'utf8') }
    for (const config of [{}, { ssl }, { ssl, sasl }]) {
      const retry = { retries: 0 }
      const stranger = client({ brokers: [...kafka.brokers], retry, ...config }).admin()
      await expect(stranger.connect().then(() => stranger.listTopics())).rejects.toThrow()
      await stranger.disconnect()
    }
  })
})

describeWith(kafkaMissing, 'a Kafka of three brokers for tests', () => {
  let kafka: TestKafka
  let admin: Admin
  beforeAll(async () => {
    kafka = await startKafka({ brokers: 3 })
    admin = client({ brokers: [...kafka.brokers] }).admin({ retry: patient })
    await admin.connect()
    const configEntries = [{ name: 'min.insync.replicas', value: '2' }]
    await admin.createTopics({
      topics: [{ topic: 'a', numPartitions: 3, replicationFactor: 3, configEntries }],
      // It would give up when it asks a broker that has not heard of the topic yet.
      waitForLeaders: false,
    })
    await until('a topic', inStep)
  })
  afterAll(async () => {
    await admin.disconnect()
    await kafka.stop()
  })

  /** False, too, when the broker that is asked is away, or has not heard of the topic yet. */
  const areAll = async (are: (one: PartitionMetadata) => boolean, asked = admin) => {
    const answer = await asked.fetchTopicMetadata({ topics: ['a'] }).catch(() => null)
    const all = answer?.topics[0]?.partitions ?? []
    return all.length === 3 && all.every(are)
  }
  const inStep = () => areAll(({ isr }) => isr.length === 3)

  it('goes on without one of them, which catches up when it is back', async () => {
    const producer = client({ brokers: [...kafka.brokers] }).producer({ retry: patient })
    await producer.connect()
    const messages = [0, 1, 2].map((partition) => ({ partition, value: 'x' }))
    await producer.send({ topic: 'a', acks: -1, messages })
    await until('all replicas in step', inStep)
    await kafka.kill(0)
    await producer.send({ topic: 'a', acks: -1, messages })
    await until('other leaders', () => areAll(({ leader }) => leader !== 1))
    await kafka.start(0)
    await until('all replicas in step', inStep)
    const offsets = await admin.fetchTopicOffsets('a')
    expect(offsets.every(({ offset }) => Number(offset) >= 2)).toBe(true)
    await producer.disconnect()
  })

  it('takes the partitions from one that is frozen', async () => {
    await until('all replicas in step', inStep)
    await kafka.freeze(1)
    const brokers = kafka.brokers.filter((_, index) => index !== 1)
    // It asks the frozen one, too, now and then.
    const others = client({ brokers, requestTimeout: 2_000 }).admin({ retry: patient })
    await others.connect()
    const moved = ({ leader, isr }: PartitionMetadata) => leader !== 2 && !isr.includes(2)
    await until('other leaders', () => areAll(moved, others))
    await others.disconnect()
    await kafka.thaw(1)
    await until('all replicas in step', inStep)
  })
})
