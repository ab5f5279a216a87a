import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { startPostgres } from '../../src/parts/store/embedded/postgres.ts'
import { openLogger } from '../../src/runtime/logger.ts'
import { scratchDirectory } from './server.ts'
import type { Size } from './sizes.ts'

/** A Kafka, a Redis and a PostgreSQL of the bench's own. */
export interface Parts {
  readonly brokers: readonly string[]
  /** Names Redis database 0, which our server uses. */
  readonly redisUrl: string
  readonly databaseUrl: string
  /** The PostgreSQL server, which our server did not start itself. */
  readonly postgresPid: number
  /** The settings by which our server uses them. */
  readonly settings: Readonly<Record<string, string>>
  /** Creates a topic; without a number it has as many partitions as our own. */
  createTopic(topic: string, partitions?: number): Promise<void>
  /** CPU time that Redis has used so far, in microseconds. */
  redisMicros(): Promise<number>
  stop(): Promise<void>
}

// The suites' own servers. A clone without tests does not have them, so they are loaded only here.
interface Support {
  readonly kafka: typeof import('../../test/support/servers/kafka.ts')
  readonly redis: typeof import('../../test/support/servers/redis.ts')
}

const partitions = 16

/** What is missing to start the parts, as the end of a sentence; null when they can be started. */
export async function partsMissing(): Promise<string | null> {
  const support = await findSupport()
  if (support === null) return 'the folder test, which holds what starts a Kafka and a Redis'
  return support.kafka.kafkaMissing ?? support.redis.redisMissing
}

/**
 * Resolves when all three serve. Each syncs as it does by default; Redis keeps nothing. In a smoke
 * run Kafka starts as it does for suites: fast, and compiled less well.
 */
export async function startParts({ name }: Pick<Size, 'name'>): Promise<Parts> {
  const support = await findSupport()
  if (support === null) throw new Error('There is nothing that starts a Kafka.')
  const scratch = scratchDirectory()
  const [kafka, redis, postgres] = await Promise.all([
    support.kafka.startKafka({ tuned: name !== 'smoke' }),
    support.redis.startRedis(),
    startPostgres({
      directory: join(scratch.path, 'postgres'),
      logger: openLogger({ level: 'warn', part: 'bench' }),
    }),
  ])
  const settings = {
    KAFKA_BROKERS: kafka.brokers.join(','),
    KAFKA_REPLICATION: '1',
    REDIS_URL: redis.url,
    DATABASE_URL: postgres.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
  }
  return {
    brokers: kafka.brokers,
    redisUrl: redis.url,
    databaseUrl: postgres.url,
    postgresPid: postgres.pid,
    settings,
    createTopic: (topic, count = partitions) => createTopic(kafka.brokers, topic, count),
    redisMicros: async () => microsOf(await redis.cli('info', 'cpu')),
    stop,
  }

  async function stop(): Promise<void> {
    await Promise.all([kafka.stop(), redis.stop(), postgres.stop()])
    scratch.remove()
  }
}

async function findSupport(): Promise<Support | null> {
  const folder = new URL('../../test/support/servers/', import.meta.url)
  try {
    const [kafka, redis] = await Promise.all([
      import(new URL('kafka.js', folder).href) as Promise<Support['kafka']>,
      import(new URL('redis.js', folder).href) as Promise<Support['redis']>,
    ])
    return { kafka, redis }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}

async function createTopic(
  brokers: readonly string[],
  topic: string,
  numPartitions: number,
): Promise<void> {
  const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  await admin.connect()
  // What ours must have; it harms no other.
  const configEntries = [{ name: 'message.timestamp.type', value: 'LogAppendTime' }]
  const created = { topic, numPartitions, replicationFactor: 1, configEntries }
  await admin.createTopics({ topics: [created], waitForLeaders: true })
  await admin.disconnect()
}

function microsOf(info: string): number {
  const seconds = ['used_cpu_user', 'used_cpu_sys'].map(
    (name) => new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? '0',
  )
  return seconds.reduce((sum, each) => sum + Number(each) * 1_000_000, 0)
}
