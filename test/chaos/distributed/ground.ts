import type { TestKafka } from '../../support/servers/kafka.ts'
import { kafkaMissing, startKafka } from '../../support/servers/kafka.ts'
import type { TestPostgres } from '../../support/servers/postgres.ts'
import { postgresMissing, startPostgres } from '../../support/servers/postgres.ts'
import { onPath } from '../../support/servers/programs.ts'
import type { TestProxy } from '../../support/servers/proxy.ts'
import { startProxy } from '../../support/servers/proxy.ts'
import { redisMissing } from '../../support/servers/redis.ts'
import type { ChaosRedis, RedisKind } from './redis.ts'
import { openChaosRedis } from './redis.ts'

/** Null when everything that this campaign needs can run here; else what is missing. */
export const groundMissing: string | null =
  kafkaMissing ??
  redisMissing ??
  postgresMissing ??
  (onPath('kcat') === null ? 'kcat, to read the topics with another client' : null)

/** The servers that an installation uses, Kafka and PostgreSQL behind proxies. */
export interface Ground {
  readonly kafka: TestKafka
  readonly redis: ChaosRedis
  readonly postgres: TestPostgres
  readonly postgresProxy: TestProxy
  readonly settings: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Starts three brokers, a Redis of this kind and a PostgreSQL. When one fails, all are stopped. */
export async function openGround(kind: RedisKind): Promise<Ground> {
  const stops: (() => Promise<void>)[] = []
  const noted = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const one = await starting
    stops.push(one.stop)
    return one
  }
  const starts = [
    noted(startKafka({ brokers: 3, proxied: true })),
    noted(openChaosRedis(kind)),
    noted(startPostgres()),
  ] as const
  try {
    await Promise.allSettled(starts)
    const [kafka, redis, postgres] = await Promise.all(starts)
    const postgresProxy = await noted(startProxy({ host: '127.0.0.1', port: postgres.port }))
    const url = new URL(postgres.url)
    url.port = `${postgresProxy.port}`
    const settings = {
      ...kafka.settings,
      ...redis.settings,
      ...postgres.settings,
      DATABASE_URL: url.href,
    }
    return { kafka, redis, postgres, postgresProxy, settings, stop }
  } catch (error) {
    await stop()
    throw error
  }

  async function stop(): Promise<void> {
    await Promise.all(stops.map((one) => one()))
  }
}
