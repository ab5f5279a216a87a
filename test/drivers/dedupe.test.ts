import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterAll, beforeAll } from 'vitest'
import { openEmbeddedDedupe } from '../../src/parts/dedupe/embedded/dedupe.ts'
import { openEmbeddedFilter } from '../../src/parts/dedupe/embedded/filter.ts'
import { openRedisDedupe } from '../../src/parts/dedupe/redis/dedupe.ts'
import { openRedisFilter } from '../../src/parts/dedupe/redis/filter.ts'
import { parseRedisUrl } from '../../src/parts/redis-settings.ts'
import { hour } from '../../src/std/instant.ts'
import type { DedupeDriver } from '../contracts/dedupe.ts'
import { testDedupe } from '../contracts/dedupe.ts'
import { quiet } from '../support/runtime/logger.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import {
  redisMissing,
  startRedis,
  startRedisCluster,
  startRedisSentinel,
} from '../support/servers/redis.ts'

const drivers: readonly DedupeDriver[] = [
  {
    name: 'shared memory and LMDB',
    async place() {
      const directory = await mkdtemp(join(tmpdir(), 'dedupe-'))
      return { open, destroy: () => rm(directory, { recursive: true }) }

      async function open() {
        const { port1, port2 } = new MessageChannel()
        const filter = openEmbeddedFilter({ port: port2 })
        const options = { directory, partitions: 4, windowUs: 24 * hour, port: port1 }
        return { dedupe: await openEmbeddedDedupe(options), filter }
      }
    },
  },
]

for (const driver of drivers) testDedupe(driver)

const redisServers: Readonly<Record<string, () => Promise<Running>>> = {
  Redis: startRedis,
  'Redis behind Sentinels': startRedisSentinel,
  'a Redis Cluster': startRedisCluster,
}

for (const [name, start] of Object.entries(redisServers)) {
  describeWith(redisMissing, name, () => testDedupe(redisDriver(name, start)))
  const sieved = `${name}, which is asked as little as can be`
  describeWith(redisMissing, sieved, () => testDedupe(redisDriver(sieved, start, 0)))
}

interface Running {
  readonly url: string
  stop(): Promise<void>
}

/** One server for the whole suite, in which each place is an installation of its own. */
function redisDriver(
  name: string,
  start: () => Promise<Running>,
  sievesFrom?: number,
): DedupeDriver {
  let server: Running | undefined
  let places = 0
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server?.stop())
  return {
    name,
    async place() {
      const redis = parseRedisUrl(server?.url ?? '')
      if (redis === null) throw new Error('The server has no address.')
      places += 1
      const shared = { redis, installation: `installation ${places}`, logger: quiet }
      return {
        open: async () => ({
          dedupe: await openRedisDedupe({ ...shared, partitions: 4, windowUs: 24 * hour }),
          filter: await openRedisFilter({
            ...shared,
            skipped: () => undefined,
            ...(sievesFrom !== undefined && { sievesFrom }),
          }),
        }),
        destroy: async () => undefined,
      }
    },
  }
}
