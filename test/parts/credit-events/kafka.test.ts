import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openKafkaCreditEvents } from '../../../src/parts/credit-events/kafka/credit-events.ts'
import type { CreditEvent } from '../../../src/parts/credit-events/port.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { kafkaLog } from '../../support/event-log/kafka-log.ts'
import { quiet } from '../../support/runtime/logger.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestKafka } from '../../support/servers/kafka.ts'
import { kafkaMissing, startKafka } from '../../support/servers/kafka.ts'

describeWith(kafkaMissing, 'credit events on Kafka', () => {
  let kafka: TestKafka
  beforeAll(async () => {
    kafka = await startKafka()
  })
  afterAll(() => kafka.stop())

  it('are read by any client, each customer in order, where that client would put them', async () => {
    const { settings } = await kafkaLog(kafka)
    const clock = systemClock()
    const events = await openKafkaCreditEvents({
      kafka: settings,
      budgetBytes: 1e6,
      logger: quiet,
      clock,
    })
    const published = Array.from({ length: 40 }, (_, index) => eventOf(index))
    await events.publish(published.slice(0, 25))
    await events.publish(published.slice(25))
    await events.publish([])
    await events.close()

    const client = new Kafka({ brokers: [...kafka.brokers], logLevel: logLevel.NOTHING })
    const producer = client.producer()
    await producer.connect()
    const [{ partition: usual } = { partition: -1 }] = await producer.send({
      topic: 'credit.events',
      messages: [{ key: 'cus_3', value: 'of the client itself' }],
    })
    await producer.disconnect()
    const found = await consumed(client, published.length + 1)
    for (const { key, value, mode, webhookId } of published) {
      expect(found).toContainEqual(
        expect.objectContaining({ key, value: Buffer.from(value).toString(), mode, webhookId }),
      )
    }
    const third = found.filter(({ key }) => key === 'cus_3')
    expect(new Set(third.map(({ partition }) => partition))).toEqual(new Set([usual]))
    expect(third.slice(0, -1).map(({ value }) => value)).toEqual(
      published
        .filter(({ key }) => key === 'cus_3')
        .map(({ value }) => Buffer.from(value).toString()),
    )
  })
})

const eventOf = (index: number): CreditEvent => ({
  key: `cus_${index % 7}`,
  value: Buffer.from(JSON.stringify({ type: 'credit.deducted', index })),
  mode: index % 2 === 0 ? 'test' : 'live',
  webhookId: `msg_${index}`,
})

async function consumed(client: Kafka, count: number) {
  const consumer = client.consumer({ groupId: 'reader' })
  await consumer.connect()
  await consumer.subscribe({ topic: 'credit.events', fromBeginning: true })
  const found: ReturnType<typeof plain>[] = []
  await new Promise<void>((resolve) => {
    void consumer.run({
      eachMessage: async ({ partition, message }) => {
        found.push(plain(partition, message))
        if (found.length === count) resolve()
      },
    })
  })
  await consumer.disconnect()
  return found
}

const plain = (
  partition: number,
  message: { key: Buffer | null; value: Buffer | null; headers?: Record<string, unknown> },
) => ({
  partition,
  key: String(message.key),
  value: String(message.value),
  mode: String(message.headers?.['mode']),
  webhookId: String(message.headers?.['webhook-id']),
})
