import type { TestKafka } from './kafka.ts'
import { kafkaMissing, startKafka } from './kafka.ts'
import type { TestPostgres } from './postgres.ts'
import { postgresMissing, startPostgres } from './postgres.ts'
import type { TestRedis, TestRedisCluster, TestRedisSentinel } from './redis.ts'
import { redisMissing, startRedis, startRedisCluster, startRedisSentinel } from './redis.ts'

export interface ServersOptions {
  /** The number of brokers. */
  readonly kafka?: 1 | 3
  readonly redis?: 'single' | 'sentinel' | 'cluster'
  readonly postgres?: boolean
  /** With TLS and passwords everywhere. */
  readonly secured?: boolean
  /** For benches, as in KafkaOptions. */
  readonly tuned?: boolean
}

/** The servers that were asked for; others are null. */
export interface Servers {
  /** The environment that makes Sluice use them. */
  readonly settings: Readonly<Record<string, string>>
  readonly kafka: TestKafka | null
  readonly redis: TestRedis | null
  readonly sentinel: TestRedisSentinel | null
  readonly cluster: TestRedisCluster | null
  readonly postgres: TestPostgres | null
  /** Stops all of them, and removes their data. */
  stop(): Promise<void>
}

/** What is missing for these, as in `kafkaMissing`; null where all can run. */
export function serversMissing({ kafka, redis, postgres }: ServersOptions): string | null {
  const missing = [
    kafka === undefined ? null : kafkaMissing,
    redis === undefined ? null : redisMissing,
    postgres === true ? postgresMissing : null,
  ].filter((one) => one !== null)
  return missing.length === 0 ? null : missing.join('; ')
}

interface Startable {
  readonly settings: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Starts all that is asked for at once. Where one fails, none is left running. */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const { kafka: brokers, redis: kind, postgres: store, secured = false, tuned = false } = options
  const password = 'a secret: "of tests"'
  const security = secured ? { tls: true, password } : {}
  const door = secured ? { tls: true, sasl: 'scram-sha-512' as const } : {}
  const started: Startable[] = []
  const [kafka, redis, sentinel, cluster, postgres] = await all([
    brokers === undefined ? null : note(startKafka({ brokers, tuned, ...door })),
    kind === 'single' ? note(startRedis(security)) : null,
    kind === 'sentinel' ? note(startRedisSentinel(security)) : null,
    kind === 'cluster' ? note(startRedisCluster(security)) : null,
    store === true ? note(startPostgres(security)) : null,
  ])
  const settings = Object.assign({}, ...started.map((one) => one.settings))
  return { settings, kafka, redis, sentinel, cluster, postgres, stop }

  async function note<T extends Startable>(starting: Promise<T>): Promise<T> {
    const server = await starting
    started.push(server)
    return server
  }

  async function all<T extends readonly unknown[]>(
    starts: T,
  ): Promise<{ -readonly [at in keyof T]: Awaited<T[at]> }> {
    const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected')
    if (failed !== undefined) await stop()
    return Promise.all(starts)
  }

  async function stop(): Promise<void> {
    await Promise.all(started.map((one) => one.stop()))
  }
}
