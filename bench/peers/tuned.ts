import { Redis } from 'ioredis'
import { Kafka, logLevel, Partitioners } from 'kafkajs'
import { peerOrder, seenSeconds } from './order.ts'
import { servePeer } from './service.ts'

// What a good engineer makes of `usual` in a week: one call of a script a request for the ids, and
// one message a request, of all its events. [bench/README.md#whom-it-is-compared-with]
const claimAll = `
  local first = {}
  for index, key in ipairs(KEYS) do
    first[index] = redis.call('SET', key, '1', 'NX', 'EX', ARGV[1]) and 1 or 0
  end
  return first`

const order = peerOrder()
// Scripts that are called in one turn of the event loop leave in one write.
const redis = new Redis(order.redisUrl, { enableAutoPipelining: true })
redis.defineCommand('claimAll', { lua: claimAll })
const scripts = redis as Redis & {
  claimAll(keys: number, ...rest: readonly (string | number)[]): Promise<readonly number[]>
}
const kafka = new Kafka({
  clientId: 'tuned',
  brokers: [...order.brokers],
  logLevel: logLevel.ERROR,
})
const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner })
await producer.connect()

await servePeer(order, {
  async claim(ids) {
    const answers = await scripts.claimAll(ids.length, ...ids, seenSeconds)
    return answers.map((answer) => answer === 1)
  },

  async release(ids) {
    await redis.del(...ids)
  },

  async append({ businessId, receivedAt, events }) {
    const value = JSON.stringify({
      business_id: businessId,
      received_at: receivedAt,
      events,
    })
    await producer.send({ topic: order.topic, acks: -1, messages: [{ value }] })
  },
})
