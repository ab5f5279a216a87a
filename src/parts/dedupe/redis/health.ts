import type { RedisConnection, RedisMaster } from '../../redis.ts'

/** Whether a Redis may hold the dedupe. */
export interface Health {
  /** Null: it may. Else a sentence, and the dedupe counts as away. */
  readonly unfit: string | null
  /** A sentence when no memory is left: what Redis then refuses, it refuses itself. */
  readonly full: string | null
  /** Keys that the masters have evicted since they were started. */
  readonly evicted: number
}

/**
 * Asks every master. One that does not answer does not hold the dedupe of others up: its own
 * partitions it refuses by itself. Rejects when none does.
 */
export async function healthOf(connection: RedisConnection): Promise<Health> {
  const asked = await Promise.allSettled(connection.masters().map(oneOf))
  const masters = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  if (masters.length === 0) throw new Error('No master of Redis answers.')
  return {
    unfit: masters.find(({ unfit }) => unfit !== null)?.unfit ?? null,
    full: masters.find(({ full }) => full !== null)?.full ?? null,
    evicted: masters.reduce((sum, { evicted }) => sum + evicted, 0),
  }
}

async function oneOf(master: RedisMaster): Promise<Health> {
  const info = await master.info()
  return {
    unfit: unfitness(info),
    full: fullness(info),
    evicted: Number(info.get('evicted_keys') ?? 0),
  }
}

function unfitness(info: ReadonlyMap<string, string>): string | null {
  const version = info.get('redis_version') ?? ''
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < 6 || (major === 6 && minor < 2)) {
    return `Redis ${version} is too old for the dedupe: it has to be 6.2 or newer.`
  }
  if (info.get('role') === 'slave') return 'This Redis is a replica, which takes no writes.'
  const policy = info.get('maxmemory_policy') ?? 'unknown'
  if (policy !== 'noeviction') {
    return (
      `The maxmemory-policy of Redis is ${policy}: it would forget events in silence, and repeats ` +
      'would be billed. It has to be noeviction.'
    )
  }
  return null
}

function fullness(info: ReadonlyMap<string, string>): string | null {
  const [used, max] = [Number(info.get('used_memory')), Number(info.get('maxmemory'))]
  return max > 0 && used >= max ? 'The memory of Redis is used up (maxmemory).' : null
}
