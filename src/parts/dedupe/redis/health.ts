// Whether a Redis may hold the dedupe: what the masters say of themselves (`askHealth`), whether
// the dedupe's own connection may be used (`watchHealth`), and what `/readyz` is told
// (`openHealthCheck`).
import type { Logger } from '../../../runtime/logger.ts'
import { loop } from '../../../runtime/loop.ts'
import type { RedisConnection, RedisMaster } from '../../redis.ts'
import { openRedis } from '../../redis.ts'
import type { RedisSettings } from '../../redis-settings.ts'

export interface Health {
  /** Why this Redis may not hold the dedupe, which then counts as away; null: it may. */
  readonly unfit: string | null
  /**
   * A sentence when no memory is left. Nothing follows from it here: Redis itself refuses what
   * needs memory.
   */
  readonly full: string | null
  /** How many keys the masters have evicted since they were started. */
  readonly evicted: number
}

/** Keeps asking a connection's Redis for its health. */
export interface HealthWatch {
  /**
   * The latest answer; asks again when another server may be answering now. Rejects while Redis is
   * away.
   */
  health(): Promise<Health>
  close(): void
}

/**
 * Asks after every connect and on a timer; an answer holds until the next one. What is wrong is
 * logged as an error, because no partition can be measured until it is mended.
 */
export function watchHealth(connection: RedisConnection, logger: Logger): HealthWatch {
  let latest: Promise<Health> | null = null
  let epoch = -1
  let said: string | null = null
  const watching = loop({
    name: 'Redis health',
    idleMs: everyMs,
    restsFirst: true,
    logger,
    async work() {
      // Every part that needs Redis reports by itself that it is away.
      await askAgain().catch(() => undefined)
      return false
    },
  })
  watching.start()
  return { health, close: () => void watching.stop() }

  function health(): Promise<Health> {
    if (latest === null || epoch !== connection.epoch()) {
      epoch = connection.epoch()
      const asking = askAgain()
      latest = asking
      asking.catch(() => {
        if (latest === asking) latest = null
      })
    }
    return latest
  }

  async function askAgain(): Promise<Health> {
    const asked = connection.epoch()
    const found = await askHealth(connection)
    say(found)
    // An unfit answer is not kept, so the next caller asks whether it has been mended.
    if (asked === connection.epoch()) latest = found.unfit === null ? Promise.resolve(found) : null
    return found
  }

  function say({ unfit, full }: Health): void {
    const wrong = unfit ?? full
    if (wrong !== null && wrong !== said) logger.error({}, wrong)
    if (wrong === null && said !== null) logger.info({}, 'Redis is fit for the dedupe again')
    said = wrong
  }
}

/** For how long a wrong eviction policy can go unnoticed. */
const everyMs = 10_000

/** For `/readyz`. */
export interface HealthCheck {
  /** 'up', or a sentence that says why not. Answers within a second, and never rejects. */
  ask(): Promise<'up' | string>
  close(): void
}

export interface HealthCheckNeeds {
  readonly redis: RedisSettings
  readonly logger: Logger
}

/** Opens a connection of its own, so that it says what another client would see. */
export function openHealthCheck({ redis, logger }: HealthCheckNeeds): HealthCheck {
  const connection = openRedis({ settings: redis, logger, name: 'sluice-check' })
  return { ask, close: () => connection.close() }

  async function ask(): Promise<string> {
    if (!connection.ready()) return 'There is no connection to Redis.'
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((done) => {
      timer = setTimeout(() => done('Redis is connected and does not answer.'), answerMs)
    })
    try {
      return await Promise.race([wordOf(connection), late])
    } catch {
      return 'Redis does not answer.'
    } finally {
      clearTimeout(timer)
    }
  }
}

async function wordOf(connection: RedisConnection): Promise<string> {
  const { unfit, full } = await askHealth(connection)
  return unfit ?? full ?? 'up'
}

const answerMs = 800

/**
 * Asks every master. One that does not answer holds up only its own partitions, so the others'
 * answers count. Rejects when none answers.
 */
async function askHealth(connection: RedisConnection): Promise<Health> {
  const asked = await Promise.allSettled(connection.masters().map(healthOf))
  const masters = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  if (masters.length === 0) throw new Error('No master of Redis answers.')
  return {
    unfit: masters.find(({ unfit }) => unfit !== null)?.unfit ?? null,
    full: masters.find(({ full }) => full !== null)?.full ?? null,
    evicted: masters.reduce((sum, { evicted }) => sum + evicted, 0),
  }
}

async function healthOf(master: RedisMaster): Promise<Health> {
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
