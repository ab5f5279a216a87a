import { Redis } from 'ioredis'
import { Kafka, logLevel, Partitioners } from 'kafkajs'
import { peerOrder, seenSeconds } from './order.ts'
import { servePeer } from './service.ts'

// The hand-written service as a fair engineer writes it on the first day: Fastify with its schema,
// one `SET id NX EX` per id in a pipeline, one kafkajs message per event, one `send` per request.
// [bench/README.md#whom-it-is-compared-with]
const order = peerOrder()
const redis = new Redis(order.redisUrl)
const kafka = new Kafka({
  clientId: 'usual',
  brokers: [...order.brokers],
  logLevel: logLevel.ERROR,
})
const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner })
await producer.connect()

await servePeer(order, {
  async claim(ids) {
    const pipeline = redis.pipeline()
    for (const id of ids) pipeline.set(id, 1, 'EX', seenSeconds, 'NX')
    const answers = (await pipeline.exec()) ?? []
    return answers.map(([error, answer]) => {
      if (error !== null) throw error
      return answer === 'OK'
    })
  },

  async release(ids) {
    await redis.del(...ids)
  },

  async append({ businessId, receivedAt, events }) {
    const messages = events.map((event) => ({
      // Billing wants one customer's usage in order.
      key: event.customer_id,
      value: JSON.stringify({
        business_id: businessId,
        ...event,
        timestamp: event.timestamp ?? receivedAt,
      }),
    }))
    await producer.send({ topic: order.topic, acks: -1, messages })
  },
})
