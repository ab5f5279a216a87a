import { memoryCounters } from '../parts/counters/memory/counters.ts'
import type { Counters } from '../parts/counters/port.ts'
import { openRedisCounters } from '../parts/counters/redis/counters.ts'
import type { MainParts } from './parts.ts'

/**
 * The rate limits' counts: of all processes where there is a Redis, else of this one.
 * [requests#limits]
 */
export async function openCounters({ config, store, logger, life }: MainParts): Promise<Counters> {
  const nowMs = () => Math.floor(performance.now())
  const alone = memoryCounters({ nowMs })
  const { redis } = config
  if (redis === null) return alone
  const { installationId: installation } = store.installation
  const counters = await openRedisCounters({ redis, installation, logger, alone, nowMs })
  life.own('rate counters', () => counters.close())
  return counters
}
