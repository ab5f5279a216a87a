import { memoryCounters } from '../parts/counters/memory/counters.ts'
import type { Counters } from '../parts/counters/port.ts'
import { openRedisCounters } from '../parts/counters/redis/counters.ts'
import type { MainNeeds } from './parts.ts'

/**
 * The counters of the rate limits: shared by all processes where there is a Redis, else of this
 * process. [requests#limits]
 */
export async function openCounters({ config, store, logger, life }: MainNeeds): Promise<Counters> {
  const nowMs = () => Math.floor(performance.now())
  const alone = memoryCounters({ nowMs })
  const { redis } = config
  if (redis === null) return alone
  const { installationId: installation } = store.installation
  const counters = await openRedisCounters({ redis, installation, logger, alone, nowMs })
  life.own('rate counters', () => counters.close())
  return counters
}
