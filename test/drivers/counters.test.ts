import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { memoryCounters } from '../../src/parts/counters/memory/counters.ts'
import { openRedisCounters } from '../../src/parts/counters/redis/counters.ts'
import type { CountersDriver } from '../contracts/counters.ts'
import { testCounters } from '../contracts/counters.ts'
import { redisOf } from '../support/dedupe/redis-dedupe.ts'
import { quiet } from '../support/runtime/logger.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { redisMissing, startRedis, startRedisCluster } from '../support/servers/redis.ts'

testCounters({
  name: 'one process',
  async place() {
    let now = 0
    const counters = memoryCounters({ nowMs: () => now })
    const pass = async (ms: number) => {
      now += ms
    }
    return { one: counters, another: counters, pass, close: () => counters.close() }
  },
})

const redisServers: Readonly<Record<string, () => Promise<Running>>> = {
  Redis: startRedis,
  'a Redis Cluster': startRedisCluster,
}

for (const [name, start] of Object.entries(redisServers)) {
  describeWith(redisMissing, name, () => testCounters(redisDriver(name, start)))
}

interface Running {
  readonly settings: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** One server for the whole suite, in which each place is an installation of its own. */
function redisDriver(name: string, start: () => Promise<Running>): CountersDriver {
  let server: Running | undefined
  let places = 0
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server?.stop())
  return {
    name,
    async place() {
      places += 1
      const installation = `place ${places}`
      const [one, another] = [await open(installation), await open(installation)]
      const pass = (ms: number) => sleep(ms)
      return { one, another, pass, close }

      async function close() {
        await one.close()
        await another.close()
      }
    },
  }

  async function open(installation: string) {
    if (server === undefined) throw new Error('The server has not started.')
    const nowMs = () => Math.floor(performance.now())
    const alone = memoryCounters({ nowMs })
    const shared = { redis: redisOf(server), installation, logger: quiet, alone, nowMs }
    return openRedisCounters({ ...shared, answerMs: 20_000 })
  }
}
