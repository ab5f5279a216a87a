import { readFileSync } from 'node:fs'
import type { Dedupe, DedupeFilter, Fingerprints, Run } from '../../../src/parts/dedupe/port.ts'
import { openRedisDedupe } from '../../../src/parts/dedupe/redis/dedupe.ts'
import { openRedisFilter } from '../../../src/parts/dedupe/redis/filter.ts'
import type { RedisSettings } from '../../../src/parts/redis-settings.ts'
import { parseRedisUrl } from '../../../src/parts/redis-settings.ts'
import type { Logger } from '../../../src/runtime/logger.ts'
import { hour } from '../../../src/std/instant.ts'
import { quiet } from '../runtime/logger.ts'
import type { TestRedis } from '../servers/redis.ts'

/** A Redis of some kind, by the settings that make Sluice use it. */
export interface RedisServer {
  readonly settings: Readonly<Record<string, string>>
}

export function redisOf({ settings }: RedisServer): RedisSettings {
  const redis = parseRedisUrl(settings['REDIS_URL'] ?? '')
  if (redis === null) throw new Error('The server has no address.')
  const ca = settings['REDIS_TLS_CA']
  return ca === undefined ? redis : { ...redis, tls: { ca: readFileSync(ca, 'utf8') } }
}

export interface OpenedDedupe {
  readonly dedupe: Dedupe
  readonly filter: DedupeFilter
  /** How many ids the filter let through without a look. */
  skipped(): number
  close(): Promise<void>
}

interface OpenOptions {
  readonly partitions?: number
  readonly logger?: Logger
  /** From how many questions a second on the filter follows what is marked. */
  readonly sievesFrom?: number
}

/** Opens the filter and the engine's end on one Redis, with a window of 24 hours. */
export async function openOn(
  server: RedisServer,
  options: OpenOptions = {},
): Promise<OpenedDedupe> {
  let skipped = 0
  const { partitions = 4, logger = quiet, sievesFrom } = options
  const shared = { redis: redisOf(server), installation: 'test', logger }
  const dedupe = await openRedisDedupe({ ...shared, partitions, windowUs: 24 * hour })
  const filter = await openRedisFilter({
    ...shared,
    ...(sievesFrom !== undefined && { sievesFrom }),
    skipped: (ids) => {
      skipped += ids
    },
  })
  return { dedupe, filter, skipped: () => skipped, close }

  async function close(): Promise<void> {
    await filter.close()
    await dedupe.close()
  }
}

export const noon = 1_800_000_000_000_000

/** Fingerprints that stand for these numbers, spread as a hash would spread them. */
export function spread(from: number, count: number): Fingerprints {
  const ids = new Uint32Array(count * 3)
  for (let index = 0; index < count; index += 1) {
    for (let word = 0; word < 3; word += 1) {
      ids[index * 3 + word] = mixed((from + index) * 3 + word + 1)
    }
  }
  return ids
}

function mixed(seed: number): number {
  let one = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b)
  one = Math.imul(one ^ (one >>> 13), 0xc2b2ae35)
  return (one ^ (one >>> 16)) >>> 0
}

export const runOf = (start: number, ids: Fingerprints, ran = noon): Run => ({
  start,
  end: start + 1,
  ran,
  ids,
})

/** How many of the ids are known. Throws where the dedupe is stale. */
export async function knownOf(dedupe: Dedupe, start: number, ids: Fingerprints): Promise<number> {
  const answer = await dedupe.check(0, 'a', start, ids)
  if (answer.kind === 'stale') throw new Error(`Stale, synced ${answer.synced}.`)
  return answer.known.reduce((sum, one) => sum + one, 0)
}

/** Each look for an id reads one, a mark and a sieve that fills read many; news read none. */
export async function bucketsRead({ cli }: Pick<TestRedis, 'cli'>): Promise<number> {
  const stats = await cli('INFO', 'commandstats')
  return Number(/cmdstat_get:calls=(\d+)/.exec(stats)?.[1] ?? 0)
}
