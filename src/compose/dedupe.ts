import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { rememberedFor } from '../engine/measuring/arrivals.ts'
import { openEmbeddedDedupe } from '../parts/dedupe/embedded/dedupe.ts'
import { openEmbeddedFilter } from '../parts/dedupe/embedded/filter.ts'
import type { Dedupe, DedupeFilter } from '../parts/dedupe/port.ts'
import { openRedisDedupe } from '../parts/dedupe/redis/dedupe.ts'
import { openRedisFilter } from '../parts/dedupe/redis/filter.ts'
import { openHealthCheck } from '../parts/dedupe/redis/health.ts'
import type { RedisSettings } from '../parts/redis-settings.ts'
import type { Installation } from '../parts/store/installation.ts'
import type { Check, Checks } from '../runtime/checks.ts'
import { degraded, down, fine } from '../runtime/checks.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import type { Logger } from '../runtime/logger.ts'
import type { EngineData, MainNeeds } from './parts.ts'

/** The edge's half of dedupe, and what the engine's half needs. */
export interface MainDedupe {
  readonly filter: DedupeFilter
  readonly port: EngineData['dedupePort']
}

export async function openMainDedupe(parts: MainNeeds): Promise<MainDedupe> {
  const { config, roles, store, logger, metrics, checks, life } = parts
  const { redis } = config
  const { installationId: installation } = store.installation
  const { port1, port2 } = new MessageChannel()
  const filter =
    redis === null
      ? openEmbeddedFilter({ port: port1 })
      : await openRedisFilter({
          redis,
          installation,
          logger,
          skipped: (ids) => metrics.filterSkipped.add(ids, {}),
        })
  life.own('dedupe filter', () => filter.close())
  // Without its filter the edge goes on: measuring finds the repeats. [machines#dedupe]
  if (redis !== null && roles.includes('http')) {
    checks.register('dedupe', redisCheck({ redis, logger, life }, degraded), degraded)
  }
  return { filter, port: redis === null ? port2 : null }
}

type RedisCheckNeeds = Pick<EngineDedupeNeeds, 'logger' | 'life'> & {
  readonly redis: RedisSettings
}

/** `otherwise`: what it means for this process that Redis is away. */
function redisCheck(
  { redis, logger, life }: RedisCheckNeeds,
  otherwise: (reason: string) => Check,
): () => Promise<Check> {
  const check = openHealthCheck({ redis, logger })
  life.own('dedupe check', async () => check.close())
  return async () => {
    const answer = await check.ask()
    return answer === 'up' ? fine : otherwise(answer)
  }
}

export interface EngineDedupeNeeds {
  readonly data: EngineData
  readonly installation: Installation
  readonly logger: Logger
  readonly checks: Checks
  readonly life: Lifecycle
}

export async function openEngineDedupe(needs: EngineDedupeNeeds): Promise<Dedupe> {
  const { data, logger, checks, life } = needs
  const { installationId: installation, partitions } = needs.installation
  const { redis, dedupeWindow, dataDir } = data.config
  const windowUs = rememberedFor(dedupeWindow)
  const common = { partitions: partitions ?? 1, windowUs }
  const dedupe = redis === null ? await openEmbedded() : await openOnRedis(redis)
  life.own('dedupe', () => dedupe.close())
  if (redis !== null) checks.register('dedupe', redisCheck({ redis, logger, life }, down))
  return dedupe

  function openEmbedded(): Promise<Dedupe> {
    const { dedupePort: port } = data
    if (port === null) throw new Error('The engine was started without the dedupe channel.')
    return openEmbeddedDedupe({ ...common, directory: join(dataDir, 'dedupe'), port })
  }

  function openOnRedis(settings: RedisSettings): Promise<Dedupe> {
    return openRedisDedupe({ ...common, redis: settings, installation, logger })
  }
}
