import { setTimeout as pause } from 'node:timers/promises'
import { startProxy } from '../../support/servers/proxy.ts'
import { startRedis, startRedisCluster, startRedisSentinel } from '../../support/servers/redis.ts'

export const redisKinds = ['sentinel', 'single', 'cluster'] as const
export type RedisKind = (typeof redisKinds)[number]

/** What can be done to a Redis, of whatever kind. After each of these it serves again. */
export interface ChaosRedis {
  readonly kind: RedisKind
  readonly settings: Readonly<Record<string, string>>
  /** Deletes all keys without a word to anybody. */
  flush(): Promise<void>
  /**
   * Kills the master; another takes over, with what it had received until then, or with nothing.
   */
  lose(): Promise<void>
  /** Freezes it for so long; with sentinels another takes over meanwhile. */
  freeze(ms: number): Promise<void>
  /** All connections of clients are closed. */
  cut(): Promise<void>
  /** Connections stay open, and commands wait. */
  stall(ms: number): Promise<void>
  stop(): Promise<void>
}

export function openChaosRedis(kind: RedisKind): Promise<ChaosRedis> {
  return { single: openSingle, sentinel: openSentinel, cluster: openCluster }[kind]()
}

/** Behind a proxy. */
async function openSingle(): Promise<ChaosRedis> {
  const redis = await startRedis()
  const proxy = await startProxy({ host: '127.0.0.1', port: redis.port })
  return {
    kind: 'single',
    settings: { ...redis.settings, REDIS_URL: `redis://127.0.0.1:${proxy.port}` },
    flush: async () => void (await redis.cli('flushall')),
    lose: async () => {
      await redis.kill()
      await redis.start()
    },
    freeze: async (ms) => {
      await redis.freeze()
      await pause(ms)
      await redis.thaw()
    },
    cut: async () => proxy.cut(),
    stall: async (ms) => {
      proxy.stall(true)
      await pause(ms)
      proxy.stall(false)
    },
    stop: async () => {
      await proxy.stop()
      await redis.stop()
    },
  }
}

async function openSentinel(): Promise<ChaosRedis> {
  const redis = await startRedisSentinel()
  return {
    kind: 'sentinel',
    settings: redis.settings,
    flush: async () => void (await redis.cli('flushall')),
    lose: async () => {
      // From here on marks do not reach the replica before the master is dead.
      await redis.cli('client', 'kill', 'type', 'replica')
      await redis.killMaster()
      await redis.restart()
    },
    freeze: async (ms) => {
      const thaw = await redis.freezeMaster()
      await pause(ms)
      await thaw()
      await redis.restart()
    },
    cut: async () => void (await redis.cli('client', 'kill', 'type', 'normal')),
    stall: async (ms) => {
      await redis.cli('client', 'pause', `${Math.round(ms)}`, 'all')
      await pause(ms)
    },
    stop: redis.stop,
  }
}

/** Whatever strikes one node strikes the next node the next time. */
async function openCluster(): Promise<ChaosRedis> {
  const redis = await startRedisCluster()
  let turn = 0
  const next = (): number => {
    turn += 1
    return turn % redis.nodes.length
  }
  const onEach = (...words: string[]) =>
    redis.cli('--cluster', 'call', redis.nodes[0] ?? '', ...words)
  return {
    kind: 'cluster',
    settings: redis.settings,
    flush: async () => void (await onEach('flushall')),
    lose: async () => {
      const index = next()
      await redis.kill(index)
      await redis.start(index)
    },
    freeze: async (ms) => {
      const index = next()
      await redis.freeze(index)
      await pause(ms)
      await redis.thaw(index)
      await redis.whole()
    },
    cut: async () => void (await onEach('client', 'kill', 'type', 'normal')),
    stall: async (ms) => {
      await onEach('client', 'pause', `${Math.round(ms)}`, 'all')
      await pause(ms)
    },
    stop: redis.stop,
  }
}
