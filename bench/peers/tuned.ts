import { Redis } from 'ioredis'
import { peerOrder, seenSeconds } from './order.ts'
import { servePeer } from './service.ts'
import { tunedKafka } from './tuned-kafka.ts'

// What a good engineer makes of `usual` in a week: one call of a script per request for the ids,
// and the fastest Kafka client for Node. [bench/README.md#whom-it-is-compared-with]
const claimAll = `
  local first = {}
  for index, key in ipairs(KEYS) do
    first[index] = redis.call('SET', key, '1', 'NX', 'EX', ARGV[1]) and 1 or 0
  end
  return first`

const order = peerOrder()
const redis = new Redis(order.redisUrl)
redis.defineCommand('claimAll', { lua: claimAll })
const scripts = redis as Redis & {
  claimAll(keys: number, ...rest: readonly (string | number)[]): Promise<readonly number[]>
}
const { Producer } = await tunedKafka()
const producer = new Producer({ clientId: 'tuned', bootstrapBrokers: [...order.brokers] })

await servePeer(order, {
  async claim(ids) {
    const answers = await scripts.claimAll(ids.length, ...ids, seenSeconds)
    return answers.map((answer) => answer === 1)
  },

  async release(ids) {
    await redis.del(...ids)
  },

  async append(messages) {
    await producer.send({
      acks: -1,
      messages: messages.map(({ key, value }) => ({
        topic: order.topic,
        key: Buffer.from(key),
        value: Buffer.from(value),
      })),
    })
  },
})
