import { join } from 'node:path'
import { freePort } from './ports.ts'
import type { RedisSecurity } from './redis-process.ts'
import { redisCli, redisSettings, securedBy, startRedisProcess } from './redis-process.ts'
import { scratch } from './scratch.ts'

export type { TestRedisCluster } from './redis-cluster.ts'
export { startRedisCluster } from './redis-cluster.ts'
export { redisMissing } from './redis-process.ts'
export type { TestRedisSentinel } from './redis-sentinel.ts'
export { startRedisSentinel } from './redis-sentinel.ts'

export interface RedisOptions extends RedisSecurity {
  /** Directives beyond ours, or instead of ours, such as `appendonly: 'yes'`. */
  readonly config?: Readonly<Record<string, string>>
}

/** One Redis, which keeps nothing on disk. */
export interface TestRedis {
  readonly url: string
  /** The settings of Sluice that make it use this Redis: REDIS_URL, and REDIS_TLS_CA with TLS. */
  readonly settings: Readonly<Record<string, string>>
  readonly port: number
  /** Where it writes all that it writes. */
  readonly directory: string
  kill(): Promise<void>
  /** Starts it again on the same port: empty, unless its directives say that it writes to disk. */
  start(): Promise<void>
  /** Sends SIGSTOP: connections stay open, and no command is answered. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** What redis-cli prints, without the last newline. Throws where Redis refuses. */
  cli(...args: string[]): Promise<string>
  stop(): Promise<void>
}

/** Starts a Redis. Answers when it takes commands. */
export async function startRedis(options: RedisOptions = {}): Promise<TestRedis> {
  const port = await freePort()
  const directives = { ...(await securedBy(port, options)), ...options.config }
  const settings = await redisSettings('', `127.0.0.1:${port}`, options)
  const directory = scratch('redis')
  const place = { directory: join(directory.path, 'data'), directives }
  let running = await startRedisProcess(place).catch(async (error: unknown) => {
    await directory.remove()
    throw error
  })
  return {
    url: settings.REDIS_URL,
    settings,
    port,
    directory: directory.path,
    kill: () => running.kill(),
    start,
    freeze: () => running.freeze(),
    thaw: () => running.thaw(),
    cli: (...args) => redisCli({ ...options, port }, args),
    stop,
  }

  async function start(): Promise<void> {
    if (running.running) throw new Error('This Redis runs already.')
    running = await startRedisProcess(place)
  }

  async function stop(): Promise<void> {
    await running.kill()
    await directory.remove()
  }
}
