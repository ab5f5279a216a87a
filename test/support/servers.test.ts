import { existsSync } from 'node:fs'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { processesNaming } from './server.ts'
import { describeWith } from './servers/describe-with.ts'
import type { TestKafka } from './servers/kafka.ts'
import { kafkaMissing, startKafka } from './servers/kafka.ts'
import { redisMissing, startRedis } from './servers/redis.ts'

describeWith(redisMissing, 'a Redis for tests', () => {
  it('comes back empty on its port after a kill, and leaves nothing behind', async () => {
    const redis = await startRedis({ password: 'open sesame' })
    expect(await redis.cli('set', 'a', '1')).toBe('OK')
    expect(await redis.cli('get', 'a')).toBe('1')
    expect(await redis.cli('config', 'get', 'maxmemory-policy')).toContain('noeviction')
    await redis.kill()
    await expect(redis.cli('ping')).rejects.toThrow()
    await redis.start()
    expect(await redis.cli('dbsize')).toBe('0')
    await redis.stop()
    expect(processesNaming(redis.directory)).toEqual([])
    expect(existsSync(redis.directory)).toBe(false)
  })

  it('keeps what its configuration says', async () => {
    const redis = await startRedis({ config: { appendonly: 'yes', appendfsync: 'always' } })
    await redis.cli('set', 'a', '1')
    await redis.kill()
    await redis.start()
    expect(await redis.cli('get', 'a')).toBe('1')
    await redis.stop()
  })
})

describeWith(kafkaMissing, 'a Kafka for tests', () => {
  let kafka: TestKafka
  beforeAll(async () => {
    kafka = await startKafka()
  })
  afterAll(() => kafka.stop())

  it('takes records and gives them back, also after a kill', async () => {
    const client = new Kafka({ brokers: [...kafka.brokers], logLevel: logLevel.NOTHING })
    const admin = client.admin()
    await admin.connect()
    await admin.createTopics({ topics: [{ topic: 'a' }], waitForLeaders: true })
    const producer = client.producer()
    await producer.connect()
    await producer.send({ topic: 'a', acks: -1, messages: [{ value: 'one' }] })
    await kafka.kill(0)
    await kafka.start(0)
    await producer.send({ topic: 'a', acks: -1, messages: [{ value: 'two' }] })
    expect(await admin.fetchTopicOffsets('a')).toMatchObject([{ offset: '2' }])
    await producer.disconnect()
    await admin.disconnect()
  })
})
