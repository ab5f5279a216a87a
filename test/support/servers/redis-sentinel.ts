import type { RedisGroup } from './redis-group.ts'
import { assembled, redisGroup } from './redis-group.ts'
import type { RedisSecurity } from './redis-process.ts'
import { quoted, redisSettings } from './redis-process.ts'
import { until } from './until.ts'

/** Members 0 and 1 are a master and its replica; the others are sentinels. */
const [dataMembers, sentinelMembers] = [
  [0, 1],
  [2, 3, 4],
]

/** A master, a replica, and three sentinels that notice a failure within a second or two. */
export interface TestRedisSentinel {
  readonly url: string
  /** The settings of Sluice that make it use these: REDIS_URL, and REDIS_TLS_CA with TLS. */
  readonly settings: Readonly<Record<string, string>>
  /** `host:port` of each. */
  readonly sentinels: readonly string[]
  /** The name by which the sentinels know the master. */
  readonly master: 'sluice'
  readonly directory: string
  /** The port of the present master, as the sentinels see it. */
  masterPort(): Promise<number>
  /** What redis-cli prints, asked at the present master. */
  cli(...args: string[]): Promise<string>
  /** Kills it with -9. Answers when the sentinels have made the replica the master. */
  killMaster(): Promise<void>
  /** Sends it SIGSTOP instead, so that it keeps its clients. Answers what lets it go on. */
  freezeMaster(): Promise<() => Promise<void>>
  /** Starts what was killed as a replica of the present master. Answers when it is in step. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts all five. Answers when a failover would succeed. */
export async function startRedisSentinel(security: RedisSecurity = {}): Promise<TestRedisSentinel> {
  const group = await redisGroup('redis-sentinel', 5, security)
  const [masterPort = 0] = group.ports
  return assembled(group, async () => {
    await group.launch({ index: 0 })
    await group.launch({ index: 1, directives: replicaOf(masterPort) })
    for (const index of sentinelMembers)
      await group.launch({ index, sentinel: true, directives: watching(masterPort, security) })
    await until('sentinels that know each other', () => isComplete(group))
    return sentinelOf(group, security)
  })
}

async function sentinelOf(group: RedisGroup, security: RedisSecurity): Promise<TestRedisSentinel> {
  const sentinels = sentinelMembers.map((index) => `127.0.0.1:${group.ports[index]}`)
  const settings = await redisSettings('+sentinel', `${sentinels.join(',')}/sluice`, security)
  return {
    url: settings.REDIS_URL,
    settings,
    sentinels,
    master: 'sluice',
    directory: group.directory,
    masterPort: () => masterPort(group),
    cli: async (...args) => group.cli(await masterIndex(group), ...args),
    killMaster,
    freezeMaster,
    restart,
    stop: group.stop,
  }

  async function killMaster(): Promise<void> {
    const index = await masterIndex(group)
    await group.running(index).kill()
    await another(index)
  }

  async function freezeMaster(): Promise<() => Promise<void>> {
    const index = await masterIndex(group)
    const old = group.running(index)
    await old.freeze()
    await another(index)
    return old.thaw
  }

  /** Resolves when all sentinels agree on another master, and that takes writes. */
  async function another(old: number): Promise<void> {
    const port = group.ports[1 - old] ?? 0
    await until('a failover', async () => {
      const seen = await Promise.all(sentinelMembers.map((index) => masterPort(group, index)))
      return seen.every((one) => one === port) && (await roleOf(group, 1 - old)) === 'master'
    })
  }

  async function restart(): Promise<void> {
    const port = await masterPort(group)
    for (const index of dataMembers) {
      if (group.running(index).running) continue
      await group.launch({ index, directives: replicaOf(port) })
    }
    await until('a replica in step', () => isComplete(group))
  }
}

const replicaOf = (port: number) => ({ replicaof: `127.0.0.1 ${port}` })

function watching(port: number, { password }: RedisSecurity): Record<string, string> {
  return {
    'sentinel monitor sluice': `127.0.0.1 ${port} 2`,
    'sentinel down-after-milliseconds sluice': '2000',
    'sentinel failover-timeout sluice': '3000',
    ...(password === undefined ? {} : { 'sentinel auth-pass sluice': quoted(password) }),
  }
}

async function masterPort(group: RedisGroup, sentinel = 2): Promise<number> {
  const address = await group.cli(sentinel, 'sentinel', 'get-master-addr-by-name', 'sluice')
  return Number(address.split('\n')[1])
}

async function masterIndex(group: RedisGroup): Promise<number> {
  return group.ports.indexOf(await masterPort(group))
}

/** Whether every sentinel knows the two others and a healthy replica, which is in step. */
async function isComplete(group: RedisGroup): Promise<boolean> {
  for (const index of sentinelMembers) {
    const seen = await fieldsOf(group.cli(index, 'sentinel', 'master', 'sluice'))
    if (seen.get('num-other-sentinels') !== '2' || seen.get('flags') !== 'master') return false
    const replica = await fieldsOf(group.cli(index, 'sentinel', 'replicas', 'sluice'))
    if (replica.get('flags') !== 'slave' || replica.get('master-link-status') !== 'ok') return false
  }
  const [first, second] = await Promise.all(dataMembers.map((index) => roleOf(group, index)))
  return first !== second
}

/** Redis calls a replica `slave`. */
async function roleOf(group: RedisGroup, index: number): Promise<string> {
  return (await group.cli(index, 'role')).split('\n')[0] ?? ''
}

/** Redis answers names and values in turn. */
async function fieldsOf(answer: Promise<string>): Promise<ReadonlyMap<string, string>> {
  const lines = (await answer).split('\n')
  return new Map(
    lines.flatMap((name, at) => (at % 2 === 0 ? [[name, lines[at + 1] ?? ''] as const] : [])),
  )
}
