import { join } from 'node:path'
import { freePorts } from './ports.ts'
import type { ServerProcess } from './process.ts'
import type { Directives, RedisSecurity } from './redis-process.ts'
import { redisCli, securedBy, startRedisProcess } from './redis-process.ts'
import { inMemory, scratch } from './scratch.ts'

/** Several Redis processes that belong together, numbered from 0. */
export interface RedisGroup {
  readonly ports: readonly number[]
  readonly directory: string
  launch(member: Member): Promise<void>
  running(index: number): ServerProcess
  cli(index: number, ...args: string[]): Promise<string>
  stop(): Promise<void>
}

export interface Member {
  readonly index: number
  readonly directives?: Directives
  readonly sentinel?: boolean
}

/** Makes room for `count` processes, and starts none. */
export async function redisGroup(
  name: string,
  count: number,
  security: RedisSecurity,
): Promise<RedisGroup> {
  const ports = await freePorts(count)
  const directory = scratch(name, inMemory)
  const processes = new Map<number, ServerProcess>()
  return { ports, directory: directory.path, launch, running, cli, stop }

  async function launch({ index, directives = {}, sentinel = false }: Member): Promise<void> {
    if (processes.get(index)?.running === true) throw new Error(`Redis ${index} runs already.`)
    const port = ports[index] ?? 0
    const secured = await securedBy(port, security)
    const place = { directory: join(directory.path, `${index}`), sentinel }
    const started = await startRedisProcess({ ...place, directives: { ...secured, ...directives } })
    processes.set(index, started)
  }

  function running(index: number): ServerProcess {
    const found = processes.get(index)
    if (found === undefined) throw new Error(`There is no Redis ${index}.`)
    return found
  }

  function cli(index: number, ...args: string[]): Promise<string> {
    return redisCli({ ...security, port: ports[index] ?? 0 }, args)
  }

  async function stop(): Promise<void> {
    await Promise.all([...processes.values()].map((process) => process.kill()))
    await directory.remove()
  }
}

/** Turns the processes into what they are to be, and stops all of them where that fails. */
export async function assembled<T>(group: RedisGroup, make: () => Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    await group.stop()
    throw error
  }
}
