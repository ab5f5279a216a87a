import { freePort } from './ports.ts'
import type { RedisGroup } from './redis-group.ts'
import { assembled, redisGroup } from './redis-group.ts'
import type { RedisSecurity } from './redis-process.ts'
import { redisSettings } from './redis-process.ts'
import { until } from './until.ts'

const masters = 3

export interface RedisClusterOptions extends RedisSecurity {
  /** How many for each master; 0 by default. The nodes 3 to 5 are the replicas. */
  readonly replicas?: 0 | 1
}

/** Three masters that share the slots. */
export interface TestRedisCluster {
  readonly url: string
  /** The settings of Sluice that make it use this cluster: REDIS_URL, and REDIS_TLS_CA with TLS. */
  readonly settings: Readonly<Record<string, string>>
  /** `host:port` of each. The first three are masters at the start. */
  readonly nodes: readonly string[]
  readonly directory: string
  /** What redis-cli prints, after following redirections to the node that holds the key. */
  cli(...args: string[]): Promise<string>
  kill(index: number): Promise<void>
  /**
   * Starts it again on the same port, empty. Answers when the cluster is whole, where all nodes
   * run.
   */
  start(index: number): Promise<void>
  freeze(index: number): Promise<void>
  thaw(index: number): Promise<void>
  /** Waits until the running nodes agree which ones are away, and serve every slot. */
  whole(): Promise<void>
  stop(): Promise<void>
}

/** Starts the nodes. Answers when each of them says that the cluster is whole. */
export async function startRedisCluster(
  options: RedisClusterOptions = {},
): Promise<TestRedisCluster> {
  const { replicas = 0 } = options
  const count = masters * (1 + replicas)
  const group = await redisGroup('redis-cluster', count, options)
  return assembled(group, async () => {
    const launch = await launcher(group, options)
    for (const index of group.ports.keys()) await launch(index)
    const nodes = group.ports.map((port) => `127.0.0.1:${port}`)
    const flags = ['--cluster-replicas', `${replicas}`, '--cluster-yes']
    await group.cli(0, '--cluster', 'create', ...nodes, ...flags)
    const away = new Set<number>()
    const settle = () => whole(group, away, masters * replicas - away.size)
    await settle()
    const settings = await redisSettings('+cluster', nodes.join(','), options)
    return {
      url: settings.REDIS_URL,
      settings,
      nodes,
      directory: group.directory,
      cli: (...args) =>
        group.cli(
          nodes.findIndex((_, index) => !away.has(index)),
          '-c',
          ...args,
        ),
      kill: (index) => {
        away.add(index)
        return group.running(index).kill()
      },
      start: async (index) => {
        await launch(index)
        away.delete(index)
        if (away.size === 0) await settle()
      },
      freeze: (index) => {
        away.add(index)
        return group.running(index).freeze()
      },
      thaw: (index) => {
        away.delete(index)
        return group.running(index).thaw()
      },
      whole: settle,
      stop: group.stop,
    }
  })
}

/** Starts a node; nodes talk to each other on ports of their own. */
async function launcher(
  group: RedisGroup,
  { tls = false }: RedisSecurity,
): Promise<(index: number) => Promise<void>> {
  const buses = await Promise.all(group.ports.map(() => freePort()))
  return (index) =>
    group.launch({
      index,
      directives: {
        'cluster-enabled': 'yes',
        'cluster-port': `${buses[index]}`,
        'cluster-node-timeout': '2000',
        'cluster-config-file': 'nodes.conf',
        'cluster-allow-replica-migration': 'no',
        ...(tls ? { 'tls-cluster': 'yes' } : {}),
      },
    })
}

/** Resolves when all running nodes agree which ones run, and all slots are served. */
async function whole(
  group: RedisGroup,
  away: ReadonlySet<number>,
  replicas: number,
): Promise<void> {
  const there = [...group.ports.keys()].filter((index) => !away.has(index))
  const isWhole = async (asked: number) => {
    const info = await group.cli(asked, 'cluster', 'info')
    const flags = flagsByPort(await group.cli(asked, 'cluster', 'nodes'))
    const of = (index: number) => flags.get(group.ports[index] ?? 0) ?? []
    return (
      info.includes('cluster_state:ok') &&
      there.every((index) => of(index).every((flag) => !flag.startsWith('fail'))) &&
      [...away].every((index) => of(index).includes('fail')) &&
      there.filter((index) => of(index).includes('master')).length === masters &&
      there.filter((index) => of(index).includes('slave')).length === replicas
    )
  }
  await until('a whole cluster', async () => {
    const answers = await Promise.all(there.map((index) => isWhole(index).catch(() => false)))
    return answers.every((answer) => answer)
  })
}

/**
 * The flags of each node, of lines such as `ID 127.0.0.1:7001@17001 myself,master - 0 0 1 connected
 * 0-5460`.
 */
const flagsByPort = (nodes: string): ReadonlyMap<number, readonly string[]> =>
  new Map(
    nodes.split('\n').flatMap((line) => {
      const [, address = '', flags = ''] = line.split(' ')
      const port = /:(\d+)@/.exec(address)?.[1]
      return port === undefined ? [] : [[Number(port), flags.split(',')] as const]
    }),
  )
