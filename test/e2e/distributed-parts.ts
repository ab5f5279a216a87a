import { randomBytes } from 'node:crypto'
import { kafkaMissing, startKafka } from '../support/servers/kafka.ts'
import { redisMissing, startRedis } from '../support/servers/redis.ts'
import { emptyDatabase } from '../support/store/database.ts'
import type { OpenedParts, Parts } from './parts.ts'

/** Null when all servers can run; else which one cannot, and why. */
export const distributedMissing = kafkaMissing ?? redisMissing

/** A real Kafka, a Redis and a database of their own on a real PostgreSQL. */
export async function openDistributed(): Promise<OpenedParts> {
  const [kafka, redis] = await Promise.all([startKafka(), startRedis()])
  const database = await emptyDatabase()
  return {
    environment: {
      KAFKA_BROKERS: kafka.brokers.join(','),
      KAFKA_REPLICATION: '1',
      REDIS_URL: redis.url,
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
    },
    close: async () => {
      await database.drop()
      await Promise.all([kafka.stop(), redis.stop()])
    },
  }
}

/** With a second process that shares all work with the first. */
export const distributedParts: Parts = {
  open: openDistributed,
  companions: ['billing,sweeps,delivery,archive'],
}
