import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import type { EngineData, MainParts } from './compose-parts.ts'
import { openEmbeddedDedupe } from './parts/dedupe/embedded/dedupe.ts'
import { openEmbeddedFilter } from './parts/dedupe/embedded/filter.ts'
import type { Dedupe, DedupeFilter } from './parts/dedupe/port.ts'
import { openRedisDedupe } from './parts/dedupe/redis/dedupe.ts'
import { openRedisFilter } from './parts/dedupe/redis/filter.ts'
import type { Installation } from './parts/store/installation.ts'
import type { Lifecycle } from './runtime/lifecycle.ts'
import type { Logger } from './runtime/logger.ts'

/** The edge's half of dedupe, and what its twin in the engine needs. */
export interface MainDedupe {
  readonly filter: DedupeFilter
  readonly ports: EngineData['ports']
}

export async function openMainDedupe(parts: MainParts): Promise<MainDedupe> {
  const { config, store, logger, metrics, life } = parts
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
  return { filter, ports: redis === null ? { dedupe: port2 } : {} }
}

export interface EngineDedupeOptions {
  readonly data: EngineData
  readonly installation: Installation
  readonly logger: Logger
  readonly life: Lifecycle
}

export async function openEngineDedupe(options: EngineDedupeOptions): Promise<Dedupe> {
  const { data, logger, life } = options
  const { installationId: installation, partitions } = options.installation
  const { redis, dedupeWindow: windowUs, dataDir } = data.config
  const port = data.ports['dedupe']
  if (redis === null && port === undefined) {
    throw new Error('The engine was started without the dedupe channel.')
  }
  const dedupe =
    redis === null
      ? await openEmbeddedDedupe({
          directory: join(dataDir, 'dedupe'),
          partitions: partitions ?? 1,
          windowUs,
          port: port as NonNullable<typeof port>,
        })
      : await openRedisDedupe({
          redis,
          installation,
          partitions: partitions ?? 1,
          windowUs,
          logger,
        })
  life.own('dedupe', () => dedupe.close())
  return dedupe
}
