import { join } from 'node:path'
import { freePort } from './ports.ts'
import { redisCli, startRedisProcess } from './redis-process.ts'
import { scratch } from './scratch.ts'

export { redisMissing } from './redis-process.ts'

export interface RedisOptions {
  /** Directives beyond ours, or instead of ours, such as `appendonly: 'yes'`. */
  readonly config?: Readonly<Record<string, string>>
  readonly password?: string
}

/** One Redis that keeps nothing. */
export interface TestRedis {
  /** For REDIS_URL. */
  readonly url: string
  readonly port: number
  /** All that it writes. */
  readonly directory: string
  /** `kill -9`. */
  kill(): Promise<void>
  /** Again on the same port: empty, unless the configuration says that it writes to disk. */
  start(): Promise<void>
  /** SIGSTOP: connections stay open, and nobody is answered. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** What redis-cli prints, without the last newline. */
  cli(...args: string[]): Promise<string>
  stop(): Promise<void>
}

/** Starts a Redis; answers when it takes commands. */
export async function startRedis(options: RedisOptions = {}): Promise<TestRedis> {
  const { config = {}, password } = options
  const directory = scratch('redis')
  const port = await freePort()
  const secret: Record<string, string> = password === undefined ? {} : { requirepass: password }
  const place = { directory: join(directory.path, 'data'), port, config: { ...secret, ...config } }
  let running = await startRedisProcess(place).catch((error: unknown) => {
    directory.remove()
    throw error
  })
  const userinfo = password === undefined ? '' : `:${encodeURIComponent(password)}@`
  return {
    url: `redis://${userinfo}127.0.0.1:${port}`,
    port,
    directory: directory.path,
    kill: () => running.kill(),
    start,
    freeze: () => running.freeze(),
    thaw: () => running.thaw(),
    cli: (...args) => redisCli({ port, password }, args),
    stop,
  }

  async function start(): Promise<void> {
    if (running.running) throw new Error('This Redis runs already.')
    running = await startRedisProcess(place)
  }

  async function stop(): Promise<void> {
    await running.kill()
    directory.remove()
  }
}
